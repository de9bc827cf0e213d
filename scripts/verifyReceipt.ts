/**
 * `npm run verify-receipt FILE`: checks a receipt of the wallet, offline, and says what of it is
 * proven. Ends with 1 when something in it contradicts something else, or when it is no receipt.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyReceipt } from '../src/receipts/verifyReceipt.ts';
import { t, useCatalog } from '../src/ui/i18n.ts';
import { blockReason } from '../src/ui/receipt/blockReason.ts';
import { unprovenGroups } from '../src/ui/receipt/unprovenGroups.ts';
import { sentenceText } from '../src/ui/shared/format.ts';
import { visibleText } from '../src/ui/shared/visibleText.ts';
import { root } from './prepare.mjs';
import { readFlags } from './readFlags.mjs';
import { say } from './say.ts';

const HELP = 'npm run verify-receipt FILE';

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    say(`${path}: ${(error as Error).message}`);
    return undefined;
  }
}

const [path] = readFlags(HELP, { allowPositionals: true }).positionals;
if (path === undefined) {
  say(HELP);
  process.exit(2);
}
// The wallet's own words; they set the language of a page, of which there is none here.
Object.assign(globalThis, { document: { documentElement: {} } });
const english = JSON.parse(readFileSync(join(root, 'public/texts/en.json'), 'utf8'));
useCatalog(english, 'en', 'en');

const { receipt, checks, unproven, valid, signed } = await verifyReceipt(read(path));
if (receipt !== null) {
  const { publicKey, owner, operation, signedAs, covered, sentence, createdAt, origin, hash, status } = receipt;
  const isOwnerProven = valid && signed && !unproven.includes('account.owner');
  if (valid && signed) {
    say(t(`operation_${signedAs}`));
    for (const { path, value } of covered) say(`  ${path}: ${visibleText(value, 300)}`);
    if (isOwnerProven) say(`  ${t('approvalAccount')}: ${owner}`);
    if (!unproven.includes('account.publicKey'))
      say(`  ${t('keyPublicX')}: ${publicKey.x}\n  ${t('keyPublicY')}: ${publicKey.y}`);
    if (hash !== null) say(`  ${t('activityHash')}: ${hash}`);
    say('');
  }
  say(`${t('receiptClaimed')}: ${sentenceText(sentence ?? { key: `operation_${operation}` })}`);
  const claims = [visibleText(status, 40), new Date(createdAt).toISOString(), origin];
  say(`  ${[...(isOwnerProven ? [] : [owner]), ...claims].join(', ')}\n`);
}
for (const { name, outcome, reason } of checks)
  say(
    `  ${t(`receiptOutcome_${outcome}`).padEnd(10)}${t(`receiptCheck_${name}`)}${reason === undefined ? '' : `. ${blockReason(reason)}`}`,
  );
for (const { blockId, root, publicDataHash } of receipt?.blocks ?? [])
  say(
    `\n${t('receiptBlockHash', { block: String(blockId) })}: ${publicDataHash}\n${t('receiptBlockState', { block: String(blockId) })}: ${root}`,
  );
if (valid) {
  say(
    `\n${t(signed ? 'receiptValid' : 'receiptUnsigned')}. ${t(signed ? 'receiptValidMeaning' : 'receiptUnsignedMeaning')}`,
  );
  say(`\n${t('receiptNotProven')}:`);
  for (const group of unprovenGroups(unproven)) say(`  ${t(`receiptUnproven_${group}`)}`);
  say(`\n${t('receiptFields')}: ${unproven.join(', ')}`);
} else
  say(
    `\n${t(receipt === null ? 'receiptNone' : 'receiptInvalid')}. ${t(receipt === null ? 'receiptNoneMeaning' : 'receiptInvalidMeaning')}`,
  );
process.exitCode = valid ? 0 : 1;
