import type { ProofView } from '../../../messaging/views.ts';
import type { Text } from '../../../operations/review.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Amount, TokenSymbol } from '../../shared/Amount.tsx';
import { Banner } from '../../shared/Banner.tsx';
import { Button } from '../../shared/Button.tsx';
import { Phrase } from '../../shared/Phrase.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { Row } from '../../shared/Row.tsx';
import { SkeletonList } from '../../shared/SkeletonList.tsx';
import { saveFile } from '../../shared/saveFile.ts';
import { useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { Gone } from '../Gone.tsx';
import { nftName } from '../nfts/nftName.ts';
import { Page } from '../PageHead.tsx';
import type { ScreenProps } from '../screenProps.ts';

/** Text for the state of the balance's newest proof that holds. */
function stateText({ state, blockId, proven, token }: ProofView): Text {
  if (blockId === null || proven === null) return { key: 'proofState_none' };
  return {
    key: `proofState_${state.replace('-', '')}`,
    values: { block: { kind: 'integer', value: blockId }, amount: { kind: 'amount', volume: proven, token } },
  };
}

const nameOf = ({ nft, token }: ProofView) => (nft === null ? token.symbol : nftName(nft, null));

function Wrong({ proofs }: { readonly proofs: readonly ProofView[] }) {
  if (proofs.every(({ failure }) => failure === null)) return null;
  return (
    <Banner tone="danger" title={t('attentionKind_proof')}>
      {proofs.map(
        (proof) =>
          proof.failure && (
            <p key={proof.token.tokenId}>
              <Phrase
                text={{
                  key: `proofRule_${proof.failure.rule.replace('-', '')}`,
                  values: {
                    token: { kind: 'text', text: nameOf(proof) },
                    block: { kind: 'integer', value: proof.failure.blockId },
                  },
                }}
              />
            </p>
          ),
      )}
      <p class="soft">{t('proofWrongMeaning')}</p>
    </Banner>
  );
}

/** Shows the proven balances of an account, their blocks, and the proofs that did not hold. */
export function ProofsScreen({ wallet, rest }: ScreenProps) {
  const account = wallet.accounts.find(({ id }) => id === (rest[0] ?? wallet.selectedAccount));
  const query = useQuery('getBalanceProofs', account === undefined ? null : { account: account.id });
  const save = useAction(async () => {
    if (account === undefined) return;
    const { fileName, text } = await call('exportBalanceProofs', { account: account.id });
    saveFile(fileName, 'application/jsonl', text);
  });
  if (account === undefined) return <Gone />;
  const { offered = 'yes', proofs = [] } = query.data ?? {};
  return (
    <Page title={t('proofsTitle')} back={['accounts', account.id]}>
      <p class="soft">
        <bdi>{visibleText(account.label, 60)}</bdi> · {t('proofsMeaning')}
      </p>
      <Problem error={query.error} />
      {query.data === undefined && <SkeletonList rows={3} />}
      {offered !== 'yes' && (
        <Banner tone="notice">{t(`proofsOffer_${(offered ?? 'unasked').replace('-', '')}`)}</Banner>
      )}
      <Wrong proofs={proofs} />
      {proofs.length > 0 && (
        <dl class="rows card">
          {proofs.map((proof) => (
            <Row
              key={proof.token.tokenId}
              name={proof.nft === null ? <TokenSymbol token={proof.token} /> : <bdi class="mono">{nameOf(proof)}</bdi>}
            >
              {proof.total !== null && <Amount volume={proof.total} token={proof.token} least bare />}
              <span class="row-note">
                <span class={proof.state === 'proven' ? 'chip-good' : ''}>
                  <Phrase text={stateText(proof)} />
                </span>
              </span>
            </Row>
          ))}
        </dl>
      )}
      {proofs.some(({ blockId, failure }) => blockId !== null || failure !== null) && (
        <>
          <Problem error={save.error} />
          <div class="choice-row">
            <Button small icon="external" busy={save.busy} onClick={save.run}>
              {t('proofsSave')}
            </Button>
          </div>
        </>
      )}
      {query.data !== undefined && <p class="soft small-note">{t('proofsWorth')}</p>}
    </Page>
  );
}
