import { join } from 'node:path';
import { createSigner, createVerifier, poseidon, sign, verify } from '../../src/crypto/index.ts';
import { bundleCrypto, firstSignatureMs } from './support/firstSignature.ts';
import type { BenchRow, BenchRun } from './support/report.ts';
import { interleaved, median, ratioOf, type Times } from './support/rounds.ts';
import { fewer } from './support/short.ts';
import { signingPeers } from './support/signingPeers.ts';

const ROUNDS = fewer(9);
const PROCESSES = fewer(7);

/**
 * Signing and verifying beside the protocol's public SDK and circomlibjs, in one run. An order
 * signature is Poseidon over the eleven inputs (t = 12) and EdDSA over the hash; every side makes
 * the same order, and ours is compared with the SDK's before the clock starts.
 */
export const run: BenchRun = async (say) => {
  const {
    poseidonInputs,
    eddsaPrivateKey,
    inputs,
    secretKey,
    signer,
    message,
    signature,
    sdkFolder,
    sdk,
    circom,
    circomKey,
    circomPublic,
    circomMessage,
    circomSignature,
  } = await signingPeers({ createSigner, poseidon }, say);
  const remembering = createVerifier({ maxTables: 0 });
  const withTables = createVerifier();
  for (let i = 0; i < 40; i++) withTables(signature, message, signer.publicKey);

  // Every order differs in its storage id, as in use: no side may profit from repeating itself.
  let storageId = 0;
  const nextStorageId = () => {
    storageId += 2;
    return storageId;
  };
  const nextInputs = () => inputs.with(1, BigInt(nextStorageId()));
  const texts = () => poseidonInputs.with(1, String(nextStorageId()));
  say(`${ROUNDS} interleaved rounds`);
  const times = await interleaved(
    {
      order: { perRound: 300, run: () => signer.sign(poseidon(nextInputs(), 12)) },
      sdkOrder: { perRound: 1, run: () => sdk.getEdDSASigWithPoseidon(texts(), eddsaPrivateKey) },
      element: { perRound: 300, run: () => signer.sign(BigInt(nextStorageId())) },
      elementOnce: { perRound: 100, run: () => sign(BigInt(nextStorageId()), secretKey) },
      circomElement: {
        perRound: 10,
        run: () => circom.signPoseidon(circomKey, circom.babyJub.F.e(BigInt(nextStorageId()))),
      },
      verifyOnce: { perRound: 100, run: () => verify(signature, message, signer.publicKey) },
      verifyKnown: { perRound: 200, run: () => remembering(signature, message, signer.publicKey) },
      verifyTable: { perRound: 300, run: () => withTables(signature, message, signer.publicKey) },
      circomVerify: { perRound: 10, run: () => circom.verifyPoseidon(circomMessage, circomSignature, circomPublic) },
      hash: { perRound: 300, run: () => poseidon(nextInputs(), 12) },
    },
    ROUNDS,
  );

  say(`first signature in ${PROCESSES} fresh processes each`);
  const bundle = await bundleCrypto();
  const order = `const inputs = ${JSON.stringify(poseidonInputs)};\nconst key = ${JSON.stringify(eddsaPrivateKey)};\n`;
  const oursFirst = `${order}const { poseidon, createSigner } = await import(${JSON.stringify(bundle)});
const bytes = Uint8Array.from(key.slice(2).padStart(64, '0').match(/../g).reverse(), (digits) => parseInt(digits, 16));
createSigner(bytes).sign(poseidon(inputs.map(BigInt), 12));`;
  const sdkFirst = `${order}const { createRequire } = await import('node:module');
const require = createRequire(${JSON.stringify(join(sdkFolder, 'package.json'))});
require('@loopring-web/loopring-sdk').getEdDSASigWithPoseidon(inputs, key);`;
  const first: Record<'ours' | 'sdk', Times> = {
    ours: { clock: [], processor: [] },
    sdk: { clock: [], processor: [] },
  };
  for (let i = 0; i < PROCESSES; i++) {
    for (const [name, source] of [
      ['ours', oursFirst],
      ['sdk', sdkFirst],
    ] as const) {
      const { clock, processor } = firstSignatureMs(name, source);
      first[name].clock.push(clock);
      first[name].processor.push(processor);
    }
  }

  const row = (what: string, oursTimes: Times, beside?: string, theirTimes?: Times, goal?: number): BenchRow => ({
    what,
    ours: median(oursTimes.clock),
    unit: 'ms',
    ...(beside && theirTimes
      ? {
          beside,
          theirs: median(theirTimes.clock),
          ratio: ratioOf(theirTimes.clock, oursTimes.clock),
          ...(theirTimes.processor.length > 0
            ? { processorRatio: ratioOf(theirTimes.processor, oursTimes.processor) }
            : {}),
        }
      : {}),
    ...(goal === undefined ? {} : { goal }),
  });
  const SDK = 'loopring-sdk 3.9.22';
  const CIRCOM = 'circomlibjs 0.1.7';
  return {
    rows: [
      row('sign an order', times.order, SDK, times.sdkOrder, 700),
      row('sign one element', times.element, CIRCOM, times.circomElement, 25),
      row('sign one element, key used once', times.elementOnce, CIRCOM, times.circomElement),
      row('verify, unknown key', times.verifyOnce, CIRCOM, times.circomVerify, 11),
      row('verify, remembered key', times.verifyKnown, CIRCOM, times.circomVerify),
      row('verify, remembered key with table', times.verifyTable, CIRCOM, times.circomVerify),
      row('hash an order (Poseidon t = 12)', times.hash),
      row('first order signature of a process', first.ours, SDK, first.sdk, 40),
    ],
    notes: [
      `Medians of ${ROUNDS} interleaved rounds; ratios are medians of the ratios of the rounds. First signature: from the`,
      'first line of a fresh process, loading included, Node itself not; ours is the bundled module.',
    ],
  };
};
