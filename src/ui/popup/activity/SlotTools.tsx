import { useState } from 'preact/hooks';
import type { OpenOrder } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Field } from '../../shared/Field.tsx';
import { symbolLimit } from '../../shared/format.ts';
import { Problem } from '../../shared/Problem.tsx';
import { parseAmount, typedAmount } from '../../shared/parseAmount.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { useAsk } from '../move/useAsk.ts';
import { openApproval } from '../openPages.ts';

interface SlotToolsProps {
  readonly account: string;
  readonly order: OpenOrder;
}

/** What can be done in the slot of an open order, each with what it means. Both ask in the approval window. */
export function SlotTools({ account, order: { hash, sell, buy } }: SlotToolsProps) {
  const [open, setOpen] = useState<'replace' | 'hardCancel' | null>(null);
  const [asked, setAsked] = useState<string | null>(null);
  const [pay, setPay] = useState(() => typedAmount(sell.volume, sell.token.decimals));
  const [receive, setReceive] = useState(() => typedAmount(buy.volume, buy.token.decimals));
  const ask = useAsk(setAsked);
  const [sold, bought] = [parseAmount(pay, sell.token.decimals), parseAmount(receive, buy.token.decimals)];
  const volumes = 'volume' in sold && 'volume' in bought ? { sell: sold.volume, buy: bought.volume } : null;
  const label = (key: string, token: { readonly symbol: string }) =>
    `${t(key)} (${visibleText(token.symbol, symbolLimit)})`;
  const replace = () => {
    if (!volumes) return;
    ask.run({
      operation: 'replaceOrder',
      account,
      intent: {
        replaces: hash,
        sellToken: { tokenId: sell.token.tokenId, volume: volumes.sell },
        buyToken: { tokenId: buy.token.tokenId, volume: volumes.buy },
      },
    });
  };
  if (asked !== null)
    return (
      <p class="order-asked" role="status">
        {t('orderAsked')}{' '}
        <Button small tone="quiet" onClick={() => void openApproval(asked)}>
          {t('askedShow')}
        </Button>
      </p>
    );
  return (
    <div class="slot-tools">
      <Problem error={ask.error} />
      {open === null && (
        <div class="site-buttons">
          <Button small onClick={() => setOpen('replace')}>
            {t('slotReplace')}
          </Button>
          <Button small tone="quiet" onClick={() => setOpen('hardCancel')}>
            {t('slotHardCancel')}
          </Button>
        </div>
      )}
      {open === 'replace' && (
        <>
          <p class="soft">{t('slotReplaceMeaning')}</p>
          <Field label={label('review_pay', sell.token)} value={pay} onInput={setPay} />
          <Field label={label('review_receive', buy.token)} value={receive} onInput={setReceive} />
        </>
      )}
      {open === 'hardCancel' && <p class="soft">{t('slotHardCancelMeaning')}</p>}
      {open !== null && (
        <div class="site-buttons">
          <Button
            small
            tone="primary"
            busy={ask.busy}
            disabled={open === 'replace' && volumes === null}
            onClick={() =>
              open === 'replace'
                ? replace()
                : ask.run({ operation: 'hardCancel', account, intent: { orderHash: hash } })
            }
          >
            {t(open === 'replace' ? 'slotReplace' : 'slotHardCancel')}
          </Button>
          <Button small tone="quiet" onClick={() => setOpen(null)}>
            {t('sitesKeep')}
          </Button>
        </div>
      )}
    </div>
  );
}
