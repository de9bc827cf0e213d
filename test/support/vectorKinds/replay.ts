import {
  decodeBlock,
  encodeBlock,
  publicDataHash,
  RollupState,
  replayBlock,
} from '../../../src/protocol/rollup/index.ts';
import type { VectorCheck } from './findings.ts';

interface Block {
  blockSize: number;
  types: Record<string, number>;
  data: string;
  publicDataHash: string;
  publicInput: string;
  rootAfter: string;
}

interface Scenario {
  startsFrom: string;
  blocks: Block[];
}

/** The names of the file for our types. */
const NAMES: Readonly<Record<string, string>> = { Withdrawal: 'Withdraw', NftMintTo: 'NftMint' };

const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex.slice(2), 'hex'));

/** One vector for each scenario: its blocks build on each other. */
export const replay: VectorCheck<Scenario> = (scenario, findings) => {
  findings.equal('startsFrom', 'genesis', scenario.startsFrom);
  const state = new RollupState();
  for (const [index, block] of scenario.blocks.entries()) {
    const data = bytesOf(block.data);
    const { header, transactions } = replayBlock(state, { data, publicDataHash: BigInt(block.publicDataHash) });
    findings.equal(`blocks[${index}].rootAfter`, state.root(), BigInt(block.rootAfter));
    findings.equal(`blocks[${index}].publicInput`, publicDataHash(data) >> 3n, BigInt(block.publicInput));
    findings.equal(`blocks[${index}].blockSize`, transactions.length, block.blockSize);
    findings.holds(
      `blocks[${index}].data`,
      Buffer.from(encodeBlock(header, transactions)).equals(data),
      'is not what the decoded block is encoded as',
    );
    const types: Record<string, number> = {};
    for (const transaction of decodeBlock(data).transactions) {
      const name = NAMES[transaction.type] ?? transaction.type;
      const key = 'kind' in transaction ? `${name}:${transaction.kind}` : name;
      types[key] = (types[key] ?? 0) + 1;
    }
    const sorted = (counts: Record<string, number>) => Object.entries(counts).sort();
    findings.equal(`blocks[${index}].types`, sorted(types), sorted(block.types));
  }
};
