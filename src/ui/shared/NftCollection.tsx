import { t } from '../i18n.ts';
import { checksumAddress, middleShortened } from './format.ts';
import { visibleText } from './visibleText.ts';

/**
 * Name of an NFT's collection in its metadata, in quotation marks and with the contract beside
 * it, which no metadata can choose; the contract alone where no collection is named. Has its line
 * before the metadata is known, so that nothing moves.
 */
export function NftCollection(props: { readonly name: string | null | undefined; readonly contract: string }) {
  return (
    <span class="nft-collection soft">
      {props.name != null && (
        <bdi class="nft-collection-name">{t('nftCollection', { name: visibleText(props.name, 120) })}</bdi>
      )}
      <span class="mono">{middleShortened(checksumAddress(props.contract), 6, 4)}</span>
    </span>
  );
}
