import { t } from '../i18n.ts';
import { CopyButton } from './CopyButton.tsx';
import { checksumAddress } from './format.ts';
import { visibleText } from './visibleText.ts';

/** Address in groups of six, so that two can be compared by eye. */
export function WholeAddress({ address }: { readonly address: string }) {
  return (
    <span class="whole-address mono" dir="ltr">
      {(visibleText(checksumAddress(address), 90).match(/.{1,6}/g) ?? []).map((part, index) => (
        <span key={index}>{part}</span>
      ))}
    </span>
  );
}

/** The same in a row, with a button that copies it. */
export const CopiedAddress = ({ address }: { readonly address: string }) => (
  <span class="copied-address">
    <WholeAddress address={address} />
    <CopyButton text={checksumAddress(address)} what={t('valueAddressName')} />
  </span>
);
