import { z } from 'zod';

export const network = z.object({
  id: z.string(),
  name: z.string(),
  baseUrl: z.string(),
  chainId: z.number(),
  exchangeAddress: z.string(),
});

export const signer = z.object({
  /** Vault record of the L1 key, when it is a local one. */
  id: z.string(),
  address: z.string(),
  kind: z.enum(['local', 'external']).default('local'),
  /** The recovery phrase that the key comes from, and its place there. */
  phrase: z.object({ id: z.string(), index: z.int().min(0) }).optional(),
  /** The extension that holds the key of an external signer. */
  extensionId: z.string().optional(),
});

export type StoredSigner = z.infer<typeof signer>;

export const account = z.object({
  id: z.string(),
  networkId: z.string(),
  accountId: z.number(),
  owner: z.string(),
  label: z.string(),
  publicKey: z.object({ x: z.string(), y: z.string() }),
  /** Id of the L1 signer that owns it. */
  signer: z.string(),
  /** The text that the EdDSA key came from; kept because what the relayer stores is covered by no signature. */
  keySeed: z.string(),
  /**
   * The owner is a smart wallet: one that is not deployed yet, for which its own owner signs, or a contract, which approves
   * hashes on layer 1. Absent: an ordinary address.
   */
  smart: z
    .discriminatedUnion('kind', [
      z.object({
        kind: z.literal('counterfactual'),
        walletFactory: z.string(),
        walletOwner: z.string(),
        walletSalt: z.string(),
      }),
      z.object({ kind: z.literal('contract') }),
    ])
    .optional(),
  /** How this wallet came by the key, and since when it holds it, Unix milliseconds. Absent: derived, of unknown age. */
  key: z.object({ kind: z.enum(['derived', 'random', 'imported']), since: z.number() }).optional(),
});

export type StoredAccount = z.infer<typeof account>;

export const settings = z.object({
  lockAfterMinutes: z.number(),
  theme: z.enum(['system', 'light', 'dark']),
  language: z.string(),
  contrast: z.enum(['system', 'more']).default('system'),
  ipfsGateway: z.string().default(''),
  notifications: z.boolean().default(false),
});

export const configSchema = z.object({
  version: z.literal(1),
  networks: z.array(network),
  signers: z.array(signer),
  accounts: z.array(account),
  /** Accounts of the signers whose registered key is not here; one is in use once a key made here is registered for it. */
  claimed: z.array(account).default([]),
  selectedAccount: z.string().nullable(),
  settings,
});

export type ConfigData = z.infer<typeof configSchema>;
