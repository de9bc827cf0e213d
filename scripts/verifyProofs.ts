/**
 * `npm run verify-proofs -- --from FILE --root 0x…`: checks proofs of balances (JSON lines, as `npm run replay` writes them) against a state
 * root, offline. Ends with 1 when one does not hold or there is none, with 2 when nothing could be read.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { preferFastCore } from '../src/crypto/fast.ts';
import { foldMerkleProof, parseMerkleProof, RollupError } from '../src/protocol/rollup/index.ts';

const HELP = 'npm run verify-proofs -- --from FILE --root 0x…';

const say = (line: string) => process.stdout.write(`${line}\n`);

function stop(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({ options: { from: { type: 'string' }, root: { type: 'string' } } }).values;
  } catch (error) {
    stop(`${(error as Error).message}\n${HELP}`);
  }
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    stop(`${path}: ${(error as Error).message}`);
  }
}

/** What the proof proves, or `undefined` with the reason said. */
function proven(line: string, root: bigint): string | undefined {
  const { accountLeaf, balanceLeaf, ...rest } = parseMerkleProof(JSON.parse(line));
  const what = `account ${accountLeaf.accountID}, token ${balanceLeaf.tokenID}: ${balanceLeaf.balance}`;
  if (foldMerkleProof({ accountLeaf, balanceLeaf, ...rest }) === root) return what;
  say(`${what} is not part of the state with this root`);
  return undefined;
}

const { from, root } = readArguments();
if (from === undefined || root === undefined) stop(HELP);
if (!/^0x[0-9a-fA-F]{1,64}$/.test(root)) stop(`--root: ${root} is no 0x-hex of a root`);
preferFastCore();

let checked = 0;
let failed = 0;
for (const [index, line] of linesOf(from).entries()) {
  if (line.trim() === '') continue;
  checked++;
  try {
    const what = proven(line, BigInt(root));
    if (what === undefined) failed++;
    else say(what);
  } catch (error) {
    if (!(error instanceof RollupError || error instanceof SyntaxError)) throw error;
    failed++;
    say(`line ${index + 1}: ${error.message}`);
  }
}
say(`${checked} proofs checked, ${failed} do not hold`);
process.exitCode = failed > 0 || checked === 0 ? 1 : 0;
