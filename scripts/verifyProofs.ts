/**
 * `npm run verify-proofs -- --from FILE [--root 0x…]`: checks proofs of balances, offline. JSON
 * lines: proofs as `npm run replay` writes them, which need `--root`, or proofs with the block and
 * root that a wallet saw, as the wallet saves them; `--root` stands above theirs. Ends with 1 when
 * one does not hold or there is none, with 2 when nothing could be read.
 */
import { z } from 'zod';
import { preferFastCore } from '../src/crypto/fast.ts';
import { MIN_NFT_TOKEN_ID } from '../src/protocol/limits.ts';
import {
  foldMerkleProof,
  formatError,
  type MerkleProof,
  parseMerkleProof,
  RollupError,
  wordText,
} from '../src/protocol/rollup/index.ts';
import { readFlags } from './readFlags.mjs';
import { fileLines } from './replay/publishedLines.ts';
import { say } from './say.ts';

const HELP = 'npm run verify-proofs -- --from FILE [--root 0x…]';

/**
 * A line of the file that a wallet saves. `rule`: it keeps the proof because it is wrong; `other`:
 * it saw another root of the same block.
 */
const savedSchema = z.looseObject({
  exchange: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .optional(),
  accountId: z.int().min(0).optional(),
  tokenId: z.int().min(0).optional(),
  blockId: z.int().min(0),
  root: wordText(),
  proof: z.unknown(),
  rule: z.string().optional(),
  other: z.looseObject({ root: wordText() }).nullish(),
});
type Saved = z.output<typeof savedSchema>;

function stop(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

/** @throws {RollupError} `format` */
function readLine(line: string): Partial<Saved> & { readonly proof: unknown } {
  const json = JSON.parse(line) as unknown;
  if (typeof json !== 'object' || json === null || 'accountLeaf' in json) return { proof: json };
  const saved = savedSchema.safeParse(json);
  if (!saved.success) throw formatError(saved.error);
  return saved.data;
}

const hex = (value: bigint, digits: number) => `0x${value.toString(16).padStart(digits, '0')}`;

function provenIn({ balanceLeaf: { tokenID }, nft }: MerkleProof): string {
  if (tokenID < MIN_NFT_TOKEN_ID) return `token ${tokenID}`;
  return `slot ${tokenID} with NFT ${hex(nft.nftID, 64)} of ${hex(nft.token, 40)}`;
}

/** @throws {RollupError} `format`: a line names another account or token than its proof. */
function checkNames({ accountId, tokenId }: Partial<Saved>, { accountLeaf, balanceLeaf }: MerkleProof): void {
  for (const [name, said, proven] of [
    ['accountId', accountId, accountLeaf.accountID],
    ['tokenId', tokenId, balanceLeaf.tokenID],
  ] as const)
    if (said !== undefined && said !== proven)
      throw new RollupError('format', `the line names ${name} ${said}, and its proof ${proven}`);
}

/**
 * Says what the proof of a line proves.
 * @returns Whether it holds; `undefined` for what a wallet kept because it is wrong.
 */
function check(line: string, trusted: bigint | undefined): boolean | undefined {
  const read = readLine(line);
  const proof = parseMerkleProof(read.proof);
  checkNames(read, proof);
  const { accountID, owner } = proof.accountLeaf;
  const place = [
    ...(read.exchange === undefined ? [] : [`exchange ${read.exchange}`]),
    ...(read.blockId === undefined ? [] : [`block ${read.blockId}`]),
  ];
  const account = `account ${accountID} of ${hex(owner, 40)}`;
  const what = `${[...place, account, provenIn(proof)].join(', ')}: ${proof.balanceLeaf.balance}`;
  const against = trusted ?? read.root;
  if (against === undefined) throw new RollupError('format', 'the line names no root, and --root is not given');
  const holds = foldMerkleProof(proof) === against;
  const found = holds
    ? `${what}, in the state with root ${hex(against, 64)}`
    : `${what} is not part of the state with root ${hex(against, 64)}`;
  if (read.rule === undefined) {
    say(found);
    return holds;
  }
  const other = read.other ? `; another root of the block is ${hex(read.other.root, 64)}` : '';
  say(`kept as wrong (${read.rule}${other}): ${found}`);
  return undefined;
}

const { from, root } = readFlags(HELP, { options: { from: { type: 'string' }, root: { type: 'string' } } }).values;
if (from === undefined) stop(HELP);
if (root !== undefined && !/^0x[0-9a-fA-F]{1,64}$/.test(root)) stop(`--root: ${root} is no 0x-hex of a root`);
preferFastCore();

const trusted = root === undefined ? undefined : BigInt(root);
let number = 0;
let checked = 0;
let failed = 0;

function count(line: string): void {
  number++;
  if (line.trim() === '') return;
  try {
    const holds = check(line, trusted);
    if (holds === undefined) return;
    checked++;
    if (!holds) failed++;
  } catch (error) {
    if (!(error instanceof RollupError || error instanceof SyntaxError)) throw error;
    checked++;
    failed++;
    say(`line ${number}: ${error.message}`);
  }
}

try {
  for await (const line of await fileLines(from)) count(line);
} catch (error) {
  if (!(error instanceof Error && 'syscall' in error)) throw error;
  stop(`${from}: ${error.message}`);
}
if (trusted === undefined)
  say('The roots are what the file says: compare them with those on the chain of the exchange.');
say(`${checked} proofs checked, ${failed} do not hold`);
process.exitCode = failed > 0 || checked === 0 ? 1 : 0;
