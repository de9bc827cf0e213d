import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { useAsk } from '../move/useAsk.ts';
import { hrefTo } from '../router.ts';

interface OrderToolsProps {
  readonly account: string;
  readonly hash: string;
  /**
   * It can still fill. A cancelled order's signature still exists as well; only its slot, used
   * again, makes it worthless.
   */
  readonly isOpen: boolean;
  /** Its slot can be used again: an order for tokens whose record this wallet has. */
  readonly canEnd: boolean;
  /** As well, no token of it is known to be unlisted: a form can probably be drawn. */
  readonly canReplace: boolean;
}

/** Buttons of an order: cancel, replace in its slot, end for good. */
export function OrderTools({ account, hash, isOpen, canEnd, canReplace }: OrderToolsProps) {
  const ask = useAsk(() => undefined);
  const intent = { orderHash: hash };
  return (
    <>
      <Problem error={ask.error} />
      {isOpen && (
        <div class="site-buttons">
          <Button
            small
            icon="cross"
            busy={ask.busy}
            onClick={() => ask.run({ operation: 'cancelOrder', account, intent })}
          >
            {t('orderCancel')}
          </Button>
          {canReplace && (
            <a class="button button-secondary button-small" href={hrefTo('orders', 'replace', hash)}>
              {t('orderReplace')}
            </a>
          )}
        </div>
      )}
      {canEnd && (
        <div class="order-end">
          <p class="soft">{t('orderEndMeaning')}</p>
          <Button small busy={ask.busy} onClick={() => ask.run({ operation: 'hardCancel', account, intent })}>
            {t('act_hardCancel')}
          </Button>
        </div>
      )}
    </>
  );
}
