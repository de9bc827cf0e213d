import type { Journal } from '../../journal/index.ts';
import type { Grants } from '../sites/grants.ts';
import type { StandingApprovals } from '../sites/standingStore.ts';
import type { StoredApproval } from './store/storedApproval.ts';

/** Where the effects of approvals are written. */
export interface Effects {
  readonly journal: Pick<Journal, 'outcomeOf'>;
  readonly grants: Pick<Grants, 'of'>;
  readonly standing: Pick<StandingApprovals, 'get'>;
}

/**
 * Whether an approval has had an effect: its signature is in the journal, or what it grants is
 * written.
 */
export async function hasEffect(
  { journal, grants, standing }: Effects,
  { kind, id, origin, chosen, copies = 1, copiesFor = id }: StoredApproval,
): Promise<boolean> {
  if (kind === 'standing') return (await standing.get(id)) !== undefined;
  if (kind === 'operation') {
    const record = await journal.outcomeOf(origin, copiesFor);
    // Asked again after a refusal: what was signed before that is no effect of this click.
    const isEarlier = record?.state === 'refused' && (record.copy ?? 1) < copies;
    return record?.wire !== undefined && !isEarlier;
  }
  const granted = (await grants.of(origin))?.grants ?? [];
  return (
    chosen?.accounts.every((account) =>
      granted.some((grant) => grant.account === account && chosen.kinds.every((one) => grant.kinds.includes(one))),
    ) ?? false
  );
}
