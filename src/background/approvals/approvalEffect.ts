import { isGivenUp } from '../submissions/outcome.ts';
import type { Wallet } from '../wallet.ts';
import type { StoredApproval } from './store/storedApproval.ts';

/**
 * Whether an approval has had an effect: its signature is in the journal, or what it grants and
 * takes is written.
 */
export async function hasEffect(
  { journal, grants, standing }: Pick<Wallet, 'grants' | 'journal' | 'standing'>,
  { kind, id, origin, chosen, kinds = [], copies = 1, copiesFor = id }: StoredApproval,
): Promise<boolean> {
  if (kind === 'standing') return (await standing.get(id)) !== undefined;
  if (kind === 'operation') {
    const record = await journal.outcomeOf(origin, copiesFor);
    // What was given up is no effect, nor what was refused before it or before this click.
    const isEarlier =
      record?.state === 'refused' &&
      ((record.copy ?? 1) < copies || isGivenUp(await journal.byRequest(origin, copiesFor)));
    return record?.wire !== undefined && record.state !== 'abandoned' && !isEarlier;
  }
  const granted = (await grants.of(origin))?.grants ?? [];
  return (
    chosen?.accounts.every((account) =>
      granted.some(
        (grant) =>
          grant.account === account && kinds.every((one) => grant.kinds.includes(one) === chosen.kinds.includes(one)),
      ),
    ) ?? false
  );
}
