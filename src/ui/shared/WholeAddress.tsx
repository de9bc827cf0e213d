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
