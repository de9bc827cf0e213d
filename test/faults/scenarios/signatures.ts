import { type Hex, hashMessage, hashTypedData, recoverAddress } from 'viem';
import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const TEXT = 'Log in to the site';
const typedData = {
  domain: { name: 'Votes', version: '1' },
  primaryType: 'Ballot',
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
    ],
    Ballot: [{ name: 'choice', type: 'string' }],
  },
  message: { choice: 'yes' },
} as const;

/**
 * Digests of the signatures that pages were given; another one in place of a signature that is not
 * the owner's.
 */
async function signaturesGiven({ requests, account }: Stage, digest: Hex): Promise<string[]> {
  const given = requests.flatMap(({ answers }) =>
    answers.flatMap((one) => ('result' in one ? [one.result as Hex] : [])),
  );
  const owners = await Promise.all(given.map((signature) => recoverAddress({ hash: digest, signature })));
  return [...new Set(owners.map((owner) => (owner === account.owner ? digest : '0x0')))];
}

const signatures = {
  kinds: ['read', 'sign'],
  browsers: 1,
  mayStayOpen: false,
  steps: () => ['approve'] as const,
} as const;

export const signatureScenarios: readonly Scenario[] = [
  {
    ...signatures,
    name: 'sign-text',
    operation: 'signMessage',
    ask: ({ account }) => [{ method: 'personal_sign', params: [TEXT, account.owner] }],
    atRelayer: (stage) => signaturesGiven(stage, hashMessage(TEXT)),
  },
  {
    ...signatures,
    name: 'sign-typed',
    operation: 'signTypedData',
    ask: ({ account }) => [{ method: 'eth_signTypedData_v4', params: [account.owner, typedData] }],
    atRelayer: (stage) => signaturesGiven(stage, hashTypedData(typedData as never)),
  },
];
