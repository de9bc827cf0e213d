import { lastChangeAt } from '../../journal/index.ts';
import type { NetworkView } from '../../messaging/views.ts';
import { findOperation, operationsWith, placesOrder, recordedFee } from '../../operations/index.ts';
import type { Facts } from '../../operations/operation.ts';
import { proofsKey, provenNft } from '../proofs/storedProofs.ts';
import { factsFor } from '../relayers/facts.ts';
import { knownAddresses } from '../settings/knownAddresses.ts';
import { approverOf } from '../settings/smartAccount.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import { submittedRequest } from '../submissions/submissionRecord.ts';
import type { Wallet } from '../wallet.ts';
import { newerInSlot } from './newerInSlot.ts';

/** Earlier submissions with a fee that are looked through. */
const FEES_LOOK_BACK = 500;
/**
 * How long an order that was cancelled is left out although its own look-up has not told its end
 * yet. After that it counts as open again: that it is cancelled is the relayer's word alone.
 */
const JUST_NOW_MS = 60_000;

export function factsOf(
  wallet: Pick<Wallet, 'accountKeys' | 'config' | 'contacts' | 'journal' | 'ports' | 'relayers'>,
  account: StoredAccount,
  network: NetworkView,
  origin: string,
  asking?: () => void,
): Facts {
  const { relayers, accountKeys, ports } = wallet;
  return {
    ...factsFor(account, network, { relayers, accountKeys, ports, asking }),
    origin,
    exchanges: async () => (await wallet.config.read()).networks.map(({ exchangeAddress }) => exchangeAddress),
    async keySeeds() {
      const { accounts, claimed } = await wallet.config.read();
      const isOwn = (one: StoredAccount) => approverOf(one).toLowerCase() === account.owner.toLowerCase();
      return [...accounts, ...claimed].filter(isOwn).map(({ keySeed }) => keySeed);
    },
    knownAddresses: () => knownAddresses(wallet, network.id),
    provenNft: async (slot) => provenNft(await ports.local.get(proofsKey(account.id)), slot),
    async siteOrders() {
      const of = { exchangeOf: network.id, accountId: account.accountId, origin };
      // What has no answer may be open as well.
      const records = await wallet.journal.list({ ...of, states: ['acknowledged', 'sent', 'signed'] });
      const cancellations = await wallet.journal.list({ ...of, operations: operationsWith('cancelled'), limit: 50 });
      const cancelled = new Set(
        cancellations
          .filter((one) => Math.abs(ports.now() - lastChangeAt(one)) < JUST_NOW_MS)
          .flatMap((one) => findOperation(one.operation)?.cancelled?.(submittedRequest(one)) ?? []),
      );
      return records
        .flatMap(({ operation, hash }) => (placesOrder(operation) && hash && !cancelled.has(hash) ? [hash] : []))
        .reverse();
    },
    async signedFees() {
      const of = {
        exchangeOf: network.id,
        accountId: account.accountId,
        states: ['acknowledged', 'processed'] as const,
      };
      const records = await wallet.journal.list({ ...of, operations: operationsWith('fee'), limit: FEES_LOOK_BACK });
      return records.flatMap((record) => recordedFee(record) ?? []);
    },
    async signedOrder(hash) {
      const records = await wallet.journal.list({ exchangeOf: network.id, accountId: account.accountId });
      const record = records.find(
        (one) => placesOrder(one.operation) && one.hash?.toLowerCase() === hash.toLowerCase(),
      );
      if (!record?.slot) return null;
      const { sellToken, buyToken } = record.draft as Record<
        'sellToken' | 'buyToken',
        { readonly tokenId: number; readonly volume: string }
      >;
      return {
        storageId: record.slot.storageId,
        sellTokenId: sellToken.tokenId,
        buyTokenId: buyToken.tokenId,
        sellVolume: sellToken.volume,
        buyVolume: buyToken.volume,
        validUntil: record.validUntil,
        newer: (await newerInSlot(wallet, record))?.hash,
      };
    },
  };
}
