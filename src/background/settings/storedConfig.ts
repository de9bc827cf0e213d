import { lockMinutes } from '../../messaging/lockMinutes.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';

export const network = once(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    baseUrl: z.string(),
    chainId: z.number(),
    exchangeAddress: z.string(),
  }),
);

export const signer = once(() =>
  z.object({
    /** Vault record of the L1 key, when it is a local one. */
    id: z.string(),
    address: z.string(),
    kind: z._default(z.enum(['local', 'external']), 'local'),
    /** The recovery phrase that the key comes from, and its place there. */
    phrase: z.optional(z.object({ id: z.string(), index: z.int().check(z.minimum(0)) })),
    /** The extension that holds the key of an external signer. */
    extensionId: z.optional(z.string()),
  }),
);

export type StoredSigner = z.infer<ReturnType<typeof signer>>;

export const account = once(() =>
  z.object({
    id: z.string(),
    networkId: z.string(),
    accountId: z.number(),
    owner: z.string(),
    label: z.string(),
    publicKey: z.object({ x: z.string(), y: z.string() }),
    /** Id of the L1 signer that owns it. */
    signer: z.string(),
    /**
     * The text that the account key came from, of an imported key the one that the relayer stored;
     * kept because what the relayer stores is covered by no signature.
     */
    keySeed: z.string(),
    /**
     * The owner is a smart wallet: one that is not deployed yet, for which its own owner signs, or
     * a contract, which approves hashes on layer 1. Absent: an ordinary address.
     */
    smart: z.optional(
      z.discriminatedUnion('kind', [
        z.object({
          kind: z.literal('counterfactual'),
          walletFactory: z.string(),
          walletOwner: z.string(),
          walletSalt: z.string(),
        }),
        z.object({ kind: z.literal('contract') }),
      ]),
    ),
    /**
     * How this wallet came by the key, and since when it holds it, Unix milliseconds. Absent:
     * derived, of unknown age.
     */
    key: z.optional(z.object({ kind: z.enum(['derived', 'random', 'imported']), since: z.number() })),
  }),
);

export type StoredAccount = z.infer<ReturnType<typeof account>>;

/** Id of an account in this wallet. */
export const accountIdOf = ({ networkId, accountId }: Pick<StoredAccount, 'networkId' | 'accountId'>): string =>
  `${networkId}:${accountId}`;

/** The network of an account's id; empty for none. */
export const networkIdOf = (account = ''): string => account.slice(0, account.lastIndexOf(':'));

export const settings = once(() =>
  z.object({
    lockAfterMinutes: lockMinutes(),
    theme: z.enum(['system', 'light', 'dark']),
    language: z.string(),
    contrast: z._default(z.enum(['system', 'more']), 'system'),
    ipfsGateway: z._default(z.string(), ''),
    notifications: z._default(z.boolean(), false),
    currency: z._default(z.string(), 'USD'),
  }),
);

export const configSchema = once(() =>
  z.object({
    version: z.literal(1),
    networks: z.array(network()),
    signers: z.array(signer()),
    accounts: z.array(account()),
    /**
     * Accounts of the signers whose registered key is not here; one is in use once a key made here
     * is registered for it.
     */
    claimed: z._default(z.array(account()), []),
    selectedAccount: z.nullable(z.string()),
    /**
     * When a backup was restored here, or the journal was found lost, Unix milliseconds: of what
     * was signed before there is no record.
     */
    restoredAt: z.optional(z.number()),
    /** Whether only this machine's clock, which may have been wrong, has said when. */
    isUndated: z.optional(z.boolean()),
    settings: settings(),
  }),
);

export type ConfigData = z.infer<ReturnType<typeof configSchema>>;
