import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { dateTime } from '../../shared/format.ts';
import { localDecimal } from '../../shared/numbers.ts';
import { Problem } from '../../shared/Problem.tsx';
import { Row } from '../../shared/Row.tsx';
import { Skeleton } from '../../shared/Skeleton.tsx';
import { saveFile } from '../../shared/saveFile.ts';
import { useQuery } from '../../shared/useQuery.ts';

const SHOWN = 10;

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
            {failures.data.slice(0, SHOWN).map(({ at, where, name, code, count, stack }) => (
              <Row
                key={`${where} ${name} ${code} ${stack[0]}`}
                name={
                  <>
                    {where}
                    <br />
                    <small>{dateTime(at)}</small>
                  </>
                }
              >
                {code === null ? name : `${name} ${code}`}
                {count > 1 && ` × ${localDecimal(String(count))}`}
              </Row>
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
