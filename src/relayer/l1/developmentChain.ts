import { type Hex, hashMessage, keccak256, recoverAddress, stringToHex } from 'viem';
import type { Db } from '../db/port.ts';
import type { L1Chain } from './port.ts';

interface Options {
  readonly db: Db;
  /** The relayer's clock, ms. */
  readonly now: () => number;
  /** ms between a deployment and its visible code. */
  readonly deployAfterMs: number;
  /** Implementation that deployed NFT proxies point to. */
  readonly nftImplementation: Hex;
}

/** 20 gwei, the middle of the moving development gas price. */
const BASE_GAS_PRICE = 20_000_000_000n;
/** The price moves within these per cent of the base, one step every 15 minutes. */
const GAS_PRICE_STEPS = [80n, 86n, 93n, 100n, 108n, 116n, 125n];
const SLOT_MS = 15 * 60_000;
const DEPLOYMENT_GAS = 100_000n;

/**
 * A chain inside the relayer's database for development: code, approvals and arrived withdrawals as
 * rows. Contract wallets on it are marked by code; a signature counts as theirs when their code
 * ends with the signer's address.
 */
export function developmentChain({ db, now, deployAfterMs, nftImplementation }: Options): L1Chain {
  const getCode = async (address: Hex): Promise<Hex> => {
    const [row] = await db.query<{ code: Hex }>('SELECT code FROM l1_code WHERE address = $1 AND visible_at <= $2', [
      address.toLowerCase(),
      now(),
    ]);
    return row?.code ?? '0x';
  };
  return {
    getCode,
    getFinalCode: getCode,
    isHashApproved: async (owner, digest) =>
      (
        await db.query('SELECT 1 FROM l1_approvals WHERE owner = $1 AND digest = $2', [
          owner.toLowerCase(),
          digest.toLowerCase(),
        ])
      ).length > 0,
    isValidSignature: async (wallet, digest, signature) => {
      const code = await getCode(wallet);
      if (code.length < 42) return false;
      const signers = await Promise.all([
        recoverAddress({ hash: digest, signature }).catch(() => '0x'),
        recoverAddress({ hash: hashMessage({ raw: digest }), signature }).catch(() => '0x'),
      ]);
      return signers.some((signer) => signer.length === 42 && code.endsWith(signer.slice(2).toLowerCase()));
    },
    getGasPrice: async () => {
      const slot = Math.floor(now() / SLOT_MS);
      const step = GAS_PRICE_STEPS[(slot * 5 + 3) % GAS_PRICE_STEPS.length] ?? 100n;
      return (BASE_GAS_PRICE * step) / 100n;
    },
    canDeploy: true,
    deploymentGas: async ({ address }) => ((await getCode(address)) === '0x' ? DEPLOYMENT_GAS : undefined),
    signDeployment: async ({ address }, nonce) => ({
      rawTransaction: address,
      txHash: keccak256(stringToHex(`deploy ${address.toLowerCase()}`)),
      nonce,
    }),
    broadcast: async (address) => {
      const code = `0x363d3d373d3d3d363d73${nftImplementation.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`;
      await db.query(
        'INSERT INTO l1_code (address, code, visible_at) VALUES ($1, $2, $3) ON CONFLICT (address) DO NOTHING',
        [address.toLowerCase(), code, now() + deployAfterMs],
      );
    },
    fateOf: async ({ address }) => ((await getCode(address)) === '0x' ? 'open' : 'done'),
    payOut: async (tx, { hash, recipient, tokenId, amount, minGas, extraData }) => {
      await tx.query(
        `INSERT INTO l1_arrivals (hash, recipient, token_id, amount, min_gas, extra_data, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (hash) DO NOTHING`,
        [hash, recipient.toLowerCase(), tokenId, amount, minGas, extraData, now()],
      );
      return keccak256(stringToHex(`arrival ${hash}`));
    },
    expectChain: async () => {},
    close: () => {},
  };
}
