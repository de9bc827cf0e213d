import type { SubmissionRecord } from '../../journal/index.ts';
import type { NetworkView } from '../../messaging/views.ts';
import { findOperation } from '../../operations/index.ts';
import { checkBlocks } from '../../receipts/checkBlocks.ts';
import type { Inclusion } from '../../receipts/receipt.ts';
import { reportedAs } from '../../report/report.ts';
import type { Ports } from '../ports.ts';
import { offerOf, type PublishedBlocks } from '../proofs/publishedBlocks.ts';
import type { ApiKeys } from '../relayers/apiKeys.ts';
import { readsFor } from '../relayers/reads.ts';
import type { Relayers } from '../relayers/relayers.ts';
import type { AccountOnNetwork } from '../settings/config.ts';
import { submittedRequest } from './submissionRecord.ts';

interface Deps {
  readonly ports: Pick<Ports, 'now'>;
  readonly relayers: Relayers;
  readonly accountKeys: ApiKeys;
  readonly publishedBlocks: Pick<PublishedBlocks, 'bytesOf'>;
}

type Missing = NonNullable<Inclusion['missing']>;

/** Characters of blocks in one receipt: a block of ten thousand transactions has fewer. */
const MOST_BLOCK_TEXT = 1_500_000;

const none = (missing: Missing): Inclusion => ({ blocks: [], missing });

/**
 * The published blocks in which a submission stands, checked. What does not hold is left out and
 * named: the receipt is the user's, and stays valid.
 * @returns `undefined` when no block transaction carries out such a request, or nothing was signed.
 */
export async function inclusionOf(
  deps: Deps,
  record: SubmissionRecord,
  owner: AccountOnNetwork,
): Promise<Inclusion | undefined> {
  const operation = findOperation(record.operation);
  if (!operation?.executedAs || !operation.settle.blocks || record.wire === undefined) return undefined;
  const reads = readsFor(owner.account, owner.network, deps);
  try {
    const { blockIds, more } = await operation.settle.blocks(submittedRequest(record), reads);
    return await blocksOf(deps, record, owner.network, blockIds, more);
  } catch (error) {
    return reportedAs('receipt: blocks', none('unread'))(error);
  }
}

async function blocksOf(
  { publishedBlocks }: Deps,
  record: SubmissionRecord,
  network: NetworkView,
  blockIds: readonly number[],
  more: boolean,
): Promise<Inclusion> {
  if (blockIds.length === 0) return none('notYet');
  const blocks: Inclusion['blocks'] = [];
  let left = MOST_BLOCK_TEXT;
  let missing: Missing | null = more ? 'size' : null;
  for (const blockId of blockIds) {
    const block = await publishedBlocks
      .bytesOf(network, blockId)
      .catch(offerOf)
      .catch(reportedAs('receipt: blocks', 'unread' as const));
    if (block === null || block === 'not-yet') missing = 'notYet';
    else if (typeof block === 'string') {
      if (block === 'no' && blocks.length === 0) return none('noBlocks');
      missing = 'unread';
      if (block === 'unread') break;
    } else if (block.data.length > left) missing = 'size';
    else {
      left -= block.data.length;
      blocks.push(lowerCase(block));
    }
  }
  if (blocks.length === 0) return { blocks, missing };
  const { operation, draft, slot } = record;
  const signed = {
    operation,
    draft,
    storageId: slot?.storageId ?? null,
    network: { exchange: network.exchangeAddress },
  };
  const { held, fault } = checkBlocks(signed, blocks);
  return { blocks: held, missing: fault ?? missing };
}

const lowerCase = ({ blockId, root, publicDataHash, data }: Inclusion['blocks'][number]) => ({
  blockId,
  root: root.toLowerCase(),
  publicDataHash: publicDataHash.toLowerCase(),
  data: data.toLowerCase(),
});
