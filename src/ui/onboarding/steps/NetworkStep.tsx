import { useState } from 'preact/hooks';
import { hostPattern } from '../../../messaging/hostPattern.ts';
import type { NetworkView } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { platform } from '../../platform.ts';
import { Banner } from '../../shared/Banner.tsx';
import { Field } from '../../shared/Field.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { Row } from '../../shared/Row.tsx';
import { Address } from '../../shared/Shortened.tsx';
import { typedUrl } from '../../shared/typedUrl.ts';
import { useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { StepForm } from './StepForm.tsx';

/** The relayer that runs beside a developer. */
const developmentRelayer = 'http://127.0.0.1:4510';

interface Found {
  readonly baseUrl: string;
  readonly chainId: number;
  readonly exchangeAddress: string;
}

interface NetworkStepProps {
  readonly networks: readonly NetworkView[];
  readonly onDone: (network: NetworkView) => void;
}

export function NetworkStep({ networks, onDone }: NetworkStepProps) {
  const [typed, setTyped] = useState(developmentRelayer);
  const [name, setName] = useState<string | null>(null);
  const [answer, setAnswer] = useState<Found | null>(null);
  const [denied, setDenied] = useState<string | null>(null);
  const proposed = useQuery('getProposedExchange', {}).data;
  const offered = typedUrl(proposed?.baseUrl ?? '');
  const isNew = offered.ok && !networks.some((network) => network.baseUrl === offered.baseUrl);
  const url = typedUrl(typed);
  const known = url.ok ? networks.find((network) => network.baseUrl === url.baseUrl) : undefined;
  const suggested = !url.ok ? '' : url.baseUrl === developmentRelayer ? t('networkDevelopment') : url.host.slice(0, 60);
  const shownName = name ?? suggested;
  // A late answer of the server that was asked before is not the answer of the one in the field.
  const found = url.ok && answer?.baseUrl === url.baseUrl ? answer : null;
  const isLooking = found === null && known === undefined;
  const same = networks.find(
    ({ chainId, exchangeAddress }) =>
      chainId === found?.chainId && exchangeAddress.toLowerCase() === found.exchangeAddress.toLowerCase(),
  );

  /**
   * First thing in the click: the browser asks the user only as an answer to a gesture, and nobody
   * when it is allowed already.
   */
  async function isAllowed(baseUrl: string): Promise<boolean> {
    const pattern = hostPattern(baseUrl);
    const allowed = pattern === null || (await platform().permissions.request({ origins: [pattern] }));
    setDenied(allowed ? null : new URL(baseUrl).host);
    return allowed;
  }
  const probe = useAction(async (baseUrl: string) => {
    setAnswer(null);
    goOn.clear();
    if (!(await isAllowed(baseUrl))) return;
    setAnswer({ baseUrl, ...(await call('probeNetwork', { baseUrl })) });
  });
  function type(value: string): void {
    setTyped(value);
    // The name that was typed for another server.
    setName(null);
    setAnswer(null);
    setDenied(null);
    probe.clear();
    goOn.clear();
    add.clear();
  }
  const goOn = useAction(async (network: NetworkView) => {
    if (await isAllowed(network.baseUrl)) onDone(network);
  });
  const add = useAction(async (network: Found) => {
    const { baseUrl, ...shown } = network;
    goOn.clear();
    onDone(await call('addNetwork', { baseUrl, name: shownName.trim(), shown }));
  });

  return (
    <StepForm
      title="networkTitle"
      meaning="networkMeaning"
      button={isLooking ? 'networkLook' : 'networkUse'}
      ready={isLooking ? url.ok : known !== undefined || shownName.trim() !== ''}
      run={() => {
        if (known !== undefined) goOn.run(known);
        else if (found !== null) add.run(found);
        else if (url.ok) probe.run(url.baseUrl);
      }}
      busy={isLooking ? probe.busy : add.busy}
      error={goOn.error ?? add.error}
    >
      {(networks.length > 0 || isNew) && (
        <ul class="known-networks">
          {proposed && offered.ok && isNew && (
            <li>
              <button
                type="button"
                class="known-network"
                onClick={() => {
                  type(offered.baseUrl);
                  probe.run(offered.baseUrl);
                }}
              >
                <bdi>{visibleText(offered.host, 120)}</bdi>
                <span class="soft">
                  {t('networkProposed', { site: visibleText(new URL(proposed.origin).host, 120) })}
                </span>
              </button>
            </li>
          )}
          {networks.map((network) => (
            <li key={network.id}>
              <button type="button" class="known-network" onClick={() => goOn.run(network)}>
                <bdi>{visibleText(network.name, 60)}</bdi>
                <bdi class="soft">{visibleText(network.baseUrl, 120)}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Field
        label={t('networkUrl')}
        value={typed}
        inputMode="url"
        maxLength={300}
        hint={t('networkUrlHint')}
        error={typed === '' || url.ok ? null : t(url.reason)}
        onInput={type}
      />
      {denied !== null && (
        <Banner tone="notice" role="alert">
          {t('networkDenied', { host: denied })}
        </Banner>
      )}
      <Problem error={probe.error} />
      {found !== null && known === undefined && (
        <>
          <div class="facts" role="status">
            <p class="facts-title">{t('networkFound')}</p>
            <dl class="rows">
              <Row label="networkChain">{found.chainId}</Row>
              <Row label="networkExchange">
                <Address address={found.exchangeAddress} />
              </Row>
            </dl>
            {same && <p>{t('networkFoundAgain', { name: visibleText(same.name, 60) })}</p>}
            <p class="soft">{t('networkPinned')}</p>
          </div>
          <Field label={t('nameField')} value={shownName} maxLength={60} onInput={setName} />
        </>
      )}
    </StepForm>
  );
}
