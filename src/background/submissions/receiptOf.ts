import type { SubmissionRecord } from '../../journal/index.ts';
import { makeReceipt, type Reader } from '../../receipts/makeReceipt.ts';
import type { Inclusion, Receipt } from '../../receipts/receipt.ts';
import { UiFailure } from '../errors/uiFailure.ts';
import type { Ports } from '../ports.ts';
import type { AccountOnNetwork, Config } from '../settings/config.ts';
import { exchangeId } from '../settings/exchangeId.ts';
import { accountIdOf } from '../settings/storedConfig.ts';

/** @throws {UiFailure} `not-found`: the account of the submission was removed from this wallet. */
export async function receiptOf(
  { config, ports }: { readonly config: Pick<Config, 'place'>; readonly ports: Pick<Ports, 'now'> },
  record: SubmissionRecord,
  reader: Reader,
  /** Called for the user's copy: the site's asks nobody. */
  findBlocks?: (owner: AccountOnNetwork) => Promise<Inclusion | undefined>,
): Promise<Receipt> {
  const { account, network } = await config.place(accountIdOf(record));
  if (!network || !account) throw new UiFailure('not-found', 'error_notFound');
  // A network's own number is random: it would link the sites of an installation, and keeps what
  // the user was shown from being guessed by the digest.
  const id = reader === 'user' ? network.id : exchangeId(network);
  const place = {
    network: { ...network, id },
    account: { ...account, id: accountIdOf({ networkId: id, accountId: account.accountId }) },
  };
  return makeReceipt(place, record, reader, ports.now(), await findBlocks?.({ account, network }));
}
