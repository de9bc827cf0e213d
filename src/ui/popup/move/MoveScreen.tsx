import { useState } from 'preact/hooks';
import type { AccountView, BalanceView } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { amountProblem } from '../../shared/amountProblem.ts';
import { Choice } from '../../shared/Choice.tsx';
import { checkAddress } from '../../shared/checkAddress.ts';
import { Disclosure } from '../../shared/Disclosure.tsx';
import { Field } from '../../shared/Field.tsx';
import { amountText, symbolText } from '../../shared/format.ts';
import { free, freeOf } from '../../shared/free.ts';
import { Notice } from '../../shared/Notice.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { parseAmount, typedAmount } from '../../shared/parseAmount.ts';
import { Select } from '../../shared/Select.tsx';
import { Skeleton, SkeletonLine } from '../../shared/Skeleton.tsx';
import { useQuery } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { useFreshHome } from '../home/useFreshHome.ts';
import { Page } from '../PageHead.tsx';
import { goTo } from '../router.ts';
import type { ScreenProps } from '../screenProps.ts';
import { Ahead } from './Ahead.tsx';
import { AmountField } from './AmountField.tsx';
import { FeeLine } from './FeeLine.tsx';
import { RecipientField } from './RecipientField.tsx';
import { RequestForm } from './RequestForm.tsx';
import { type OperationRequest, usePreview } from './usePreview.ts';
import { useRecipients } from './useRecipients.ts';

type Kind = 'transfer' | 'withdraw';

const texts = {
  transfer: { title: 'sendTitle', meaning: 'sendMeaning', recipient: 'sendTo' },
  withdraw: { title: 'operation_withdraw', meaning: 'withdrawMeaning', recipient: 'withdrawTo' },
} as const;

/** Characters of a memo that can be typed here; a relayer takes more. */
const memoLimit = 128;

interface FormProps {
  readonly kind: Kind;
  readonly account: AccountView;
  readonly balances: readonly BalanceView[];
  readonly wallet: ScreenProps['wallet'];
  /** Token and receiver that the address of the screen names. */
  readonly first: { readonly tokenId: number | null; readonly recipient: string };
}

function MoveForm({ kind, account, balances, wallet, first }: FormProps) {
  const named = balances.find(({ token }) => token.tokenId === first.tokenId);
  const [tokenId, setTokenId] = useState(
    (named ?? balances.find((one) => free(one) > 0n) ?? balances[0])?.token.tokenId,
  );
  const [amount, setAmount] = useState('');
  const [all, setAll] = useState(false);
  const [recipient, setRecipient] = useState(first.recipient || (kind === 'withdraw' ? account.owner : ''));
  const [memo, setMemo] = useState('');
  const [feeToken, setFeeToken] = useState<number | null>(null);
  const [tried, setTried] = useState(false);
  const known = useRecipients(wallet, account.networkId, kind === 'transfer');
  const balance = balances.find(({ token }) => token.tokenId === tokenId) ?? balances[0];
  const token = balance?.token;
  const ofToken = kind === 'withdraw' && token !== undefined ? { tokenId: token.tokenId } : {};
  const asked = { operation: kind, account: account.id, ...ofToken } as const;
  const fees = useQuery('getFees', token === undefined ? null : asked);
  const quick = useQuery('getFees', kind === 'withdraw' && token !== undefined ? { ...asked, fast: true } : null);
  const quickFee = quick.data?.find((offer) => offer.token.tokenId === tokenId);
  // Not every relayer pays out ahead, and not in every token.
  const offersFast =
    kind === 'withdraw' && quick.error === null && (quick.data === undefined || quickFee !== undefined);
  const [wantsFast, setWantsFast] = useState(false);
  const fast = wantsFast && offersFast;

  const holds = (wanted: number) => freeOf(balances, wanted);
  const payable = fees.data?.filter((offer) => holds(offer.token.tokenId) >= BigInt(offer.volume)) ?? [];
  const fallback = payable.find((offer) => offer.token.tokenId === tokenId) ?? payable[0] ?? fees.data?.[0];
  const usual = fees.data?.find((offer) => offer.token.tokenId === feeToken) ?? fallback;
  const fee = fast ? quickFee : usual;
  const chosenFees = fast ? quick : fees;
  const feeInToken = fee !== undefined && fee.token.tokenId === tokenId ? BigInt(fee.volume) : 0n;
  const available = balance === undefined ? 0n : free(balance);
  const most = available > feeInToken ? available - feeInToken : 0n;
  const parsed = all ? { volume: String(most) } : parseAmount(amount, token?.decimals ?? 0);
  const volume = 'volume' in parsed ? BigInt(parsed.volume) : null;
  const self = kind === 'transfer' ? account.owner : undefined;
  const checked = checkAddress(recipient, self);
  const feeShort = fee !== undefined && holds(fee.token.tokenId) < BigInt(fee.volume);
  const isComplete = volume !== null && volume > 0n && volume <= most && fee !== undefined && !feeShort;
  const request: OperationRequest | null =
    !isComplete || token === undefined || !('address' in checked)
      ? null
      : {
          operation: kind,
          account: account.id,
          intent: {
            token: { tokenId: token.tokenId, volume: String(volume) },
            [kind === 'transfer' ? 'payeeAddr' : 'to']: checked.address,
            feeTokenId: fee.token.tokenId,
            ...(fast ? { fastWithdrawalMode: true } : {}),
            ...(memo.trim() === '' ? {} : { memo: memo.trim() }),
          },
        };
  const preview = usePreview(request);

  if (token === undefined) return <p class="empty">{t('moveNothing')}</p>;
  const problem =
    volume !== null && volume > most
      ? t(volume > available ? 'amountTooMuch' : 'amountTooMuchWithFee', {
          token: symbolText(token),
        })
      : // Until it is asked for, nothing is no mistake yet.
        volume === 0n && !tried && !all
        ? null
        : amountProblem(parsed, token, tried);
  return (
    <RequestForm
      request={request}
      onApproved={() => goTo('home')}
      onTried={() => setTried(true)}
      pending={tried && chosenFees.data === undefined && chosenFees.error === null}
    >
      <Select
        label={t('moveToken')}
        options={balances.map(({ token }) => [
          String(token.tokenId),
          `${symbolText(token)} · ${visibleText(token.name, 40)}`,
        ])}
        chosen={String(token.tokenId)}
        onChoose={(chosen) => {
          setTokenId(Number(chosen));
          setAmount('');
          setAll(false);
        }}
      />
      <AmountField
        token={token}
        text={all ? typedAmount(String(most), token.decimals) : amount}
        onText={(text) => {
          setAll(false);
          setAmount(text);
        }}
        available={available}
        onMax={() => setAll(true)}
        error={problem}
      />
      <RecipientField
        label={t(texts[kind].recipient)}
        text={recipient}
        onText={setRecipient}
        known={known}
        self={self}
        tried={tried}
      />
      <Ahead preview={preview} />
      {offersFast && (
        <Choice
          legend={t('withdrawSpeed')}
          hint={t(fast ? 'withdrawFastHint' : 'withdrawNormalHint')}
          options={['normal', 'fast']}
          text={(way) => {
            const offer = way === 'fast' ? quickFee : usual;
            return (
              <>
                {t(way === 'fast' ? 'withdrawFast' : 'withdrawNormal')}
                {offer === undefined ? (
                  <SkeletonLine width={4} />
                ) : (
                  <span class="segment-note">{amountText(offer)}</span>
                )}
              </>
            );
          }}
          chosen={fast ? 'fast' : 'normal'}
          onChoose={(way) => setWantsFast(way === 'fast')}
        />
      )}
      <FeeLine
        offers={fast ? quick.data?.filter((offer) => offer === quickFee) : fees.data}
        error={fees.error}
        onRetry={() => void fees.reload()}
        chosen={fee?.token.tokenId ?? null}
        onChoose={setFeeToken}
        short={feeShort}
      />
      {kind === 'transfer' && (
        <Disclosure title={t('moveMemo')}>
          <Field
            label={t('moveMemoLabel')}
            value={memo}
            maxLength={memoLimit}
            hint={t('review_memoNote')}
            onInput={setMemo}
          />
        </Disclosure>
      )}
    </RequestForm>
  );
}

function MoveScreen({ kind, wallet, rest }: ScreenProps & { readonly kind: Kind }) {
  const home = useFreshHome(wallet.selectedAccount);
  const [tokenText = '', recipient = ''] = rest;
  const tokenId = /^\d{1,5}$/.test(tokenText) ? Number(tokenText) : null;
  const data = home.data;
  const unread = data === undefined || data.balancesAt === null;
  return (
    <Page title={t(texts[kind].title)} back={['home']}>
      <p class="soft lead">{t(texts[kind].meaning)}</p>
      <Notice text={data?.problem} />
      <Problem error={data === undefined ? home.error : null} />
      {unread ? (
        data?.problem == null && <Skeleton lines={[3, 10, 3, 10, 3, 10]} />
      ) : (
        <MoveForm
          kind={kind}
          account={data.account}
          balances={data.balances}
          wallet={wallet}
          first={{ tokenId, recipient }}
        />
      )}
    </Page>
  );
}

export const SendScreen = (props: ScreenProps) => <MoveScreen kind="transfer" {...props} />;
export const WithdrawScreen = (props: ScreenProps) => <MoveScreen kind="withdraw" {...props} />;
