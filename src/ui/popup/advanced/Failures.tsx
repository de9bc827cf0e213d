import type { Failure } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { dateTime } from '../../shared/format.ts';
import { localDecimal } from '../../shared/numbers.ts';
import { Problem } from '../../shared/Problem.tsx';
import { Skeleton } from '../../shared/Skeleton.tsx';
import { saveFile } from '../../shared/saveFile.ts';
import { useQuery } from '../../shared/useQuery.ts';

const SHOWN = 10;

function Row({ failure: { at, where, name, code, count } }: { readonly failure: Failure }) {
  return (
    <div class="row">
      <dt>
        {where}
        <br />
        <small>{dateTime(at)}</small>
      </dt>
      <dd>
        {code === null ? name : `${name} ${code}`}
        {count > 1 && ` × ${localDecimal(String(count))}`}
      </dd>
    </div>
  );
}

/**
 * Shows the wallet's failures since the browser started, and saves them with the places in the code
 * as a file.
 */
export function Failures() {
  const failures = useQuery('getFailures', {});
  return (
    <section class="card">
      <h2 class="card-title">{t('advancedFailures')}</h2>
      <p class="soft">{t('advancedFailuresMeaning')}</p>
      <Problem error={failures.error} />
      {failures.data === undefined ? (
        <Skeleton lines={[10]} />
      ) : failures.data.length === 0 ? (
        <p class="empty">{t('advancedNoFailures')}</p>
      ) : (
        <>
          <dl class="rows">
            {failures.data.slice(0, SHOWN).map((failure) => (
              <Row key={`${failure.where} ${failure.name} ${failure.code} ${failure.stack[0]}`} failure={failure} />
            ))}
          </dl>
          <Button
            small
            icon="external"
            onClick={() =>
              saveFile('countersign-failures.json', 'application/json', JSON.stringify(failures.data, null, 2))
            }
          >
            {t('advancedFailuresExport')}
          </Button>
        </>
      )}
    </section>
  );
}
