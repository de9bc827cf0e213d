import fc from 'fast-check';
import { languages } from '../../../src/messaging/languages.ts';
import type { AnyOperation, OperationName } from '../../../src/operations/index.ts';
import { operations } from '../../../src/operations/index.ts';
import type { Facts } from '../../../src/operations/operation.ts';
import type { TokenFacts, Warning } from '../../../src/operations/review.ts';
import { type Severity, severities } from '../../../src/operations/severity.ts';
import type { WarningFacts } from '../../../src/operations/warningFacts.ts';
import { warningsOf } from '../../../src/operations/warnings.ts';
import { formatHash } from '../../../src/protocol/index.ts';
import { cases, STORAGE_ID } from '../../operations/everyCase.ts';
import { FRIEND, factsWith, feeAnswer, now, OWNER, token } from '../../operations/facts.ts';
import { code, NFT_DATA, SLOT } from '../../operations/nftSupport.ts';
import * as f from '../support/fixtures.ts';
import { ok, open, type Scenario } from './scenarios.ts';

const ETHER = 10n ** 18n;

type Said = Omit<WarningFacts, 'now'>;

const amount = (volume: bigint, token: TokenFacts) => ({ volume: String(volume), token });
const [eth, lrc] = [token(0, 'ETH', 18), token(1, 'LRC', 18)];
/** A fee in LRC that is this share of five LRC which are moved. */
const feeOf = (percent: bigint): Said => ({
  fee: {
    ...amount((5n * ETHER * percent) / 100n, lrc),
    quote: String((5n * ETHER * percent) / 100n),
    bounds: { moved: String(5n * ETHER), balance: String(20_000n * ETHER) },
  },
});
/** What 150 LRC are worth in the pictures. */
const WORTH = ETHER / 100n;
const shareOfWorth = (bips: number) => (WORTH * BigInt(bips)) / 10_000n;
const priceWorseBy = (lossBips: number): Said => ({
  price: { lossBips, loss: { kind: 'amount', ...amount(shareOfWorth(lossBips), eth) } },
});
const burnOf = (share: bigint, bought: bigint): Said => ({
  burn: {
    signed: { sell: String(100n * ETHER), buy: String(ETHER / 20n) },
    balance: String(1_000n * ETHER),
    sold: amount((1_000n * ETHER * share) / 100n, lrc),
    bought: amount(bought, eth),
  },
});
const newRecipient = { recipient: { address: FRIEND, known: false } } as const;

const orders = { notice: priceWorseBy(340), danger: priceWorseBy(1_120), stop: priceWorseBy(5_050) };
const moves = { notice: newRecipient, danger: feeOf(60n), stop: feeOf(167n) };
/** A fee that cannot be compared with what is moved, but with what was paid before. */
const unusual = (times: bigint): Said => ({
  fee: {
    ...amount((times * ETHER) / 1_000n, eth),
    quote: String((times * ETHER) / 1_000n),
    bounds: { usual: { volume: String(ETHER / 1_000n), source: 'paid' }, balance: String(5n * ETHER) },
  },
});
const nfts = { danger: unusual(4n), stop: unusual(12n) };
const pools = { notice: { shareLossBips: 340 }, danger: { shareLossBips: 1_120 } } as const;

/** What can be found about a request of each operation, by the severity that the rules give it. */
const findings: Readonly<Record<OperationName, Partial<Readonly<Record<Severity, Said>>>>> = {
  submitOrder: { note: { order: { validUntil: now + 3600, isPool: true } }, ...orders },
  replaceOrder: orders,
  submitOneOf: orders,
  hardCancel: { danger: burnOf(6n, (3n * ETHER) / 100n), stop: burnOf(60n, (3n * ETHER) / 10n) },
  cancelOrder: {},
  cancelAllOrders: {},
  transfer: moves,
  withdraw: {
    note: { withdrawal: { to: OWNER, owner: OWNER, isContract: false, fast: true } },
    ...moves,
    danger: { ...newRecipient, withdrawal: { to: FRIEND, owner: OWNER, isContract: false, fast: false } },
  },
  exitAmmPool: { ...pools, stop: { pool: { isRisky: false, noMinimum: true } } },
  joinAmmPool: { ...pools, stop: { pool: { isRisky: false, noMinimum: true } } },
  mintNft: nfts,
  transferNft: { notice: newRecipient, ...nfts, danger: { nftDiffers: true } },
  withdrawNft: nfts,
  deployNft: {
    notice: { broker: { recipient: { address: FRIEND, known: true, isPaid: true }, ...amount(ETHER / 100n, eth) } },
    danger: { broker: { recipient: { address: FRIEND, known: false }, ...amount(ETHER / 100n, eth) } },
  },
  signNftOrder: { notice: { nftLocked: true }, danger: { nftDiffers: true } },
  updateAccountKey: { notice: { ordersThatEnd: 3 }, danger: { changesKey: true } },
  signMessage: { danger: { text: { hides: false, signsInElsewhere: true } } },
  signTypedData: {
    notice: { text: { hides: false, graves: ['call'] } },
    danger: { text: { hides: false, graves: ['spending'] } },
  },
};

const openOrder = (place: bigint, side: 'BUY' | 'SELL', base: bigint, quote: bigint) => ({
  hash: formatHash(place),
  clientOrderId: '',
  side,
  market: 'LRC-ETH',
  price: '1',
  volumes: { baseAmount: String(base), quoteAmount: String(quote), baseFilled: '0', quoteFilled: '0', fee: '0' },
  validity: { start: 1, end: 2 },
  orderType: 'LIMIT_ORDER',
  tradeChannel: 'MIXED',
  status: 'processing',
});
const listed = [
  openOrder(1n, 'SELL', 1_000n * ETHER, ETHER / 10n),
  openOrder(2n, 'BUY', 250n * ETHER, ETHER / 80n),
  openOrder(3n, 'SELL', 40n * ETHER, ETHER / 400n),
];
/** Three orders that the exchange lists, and one that it does not. */
const openOrders = factsWith(
  { getOrders: () => ({ totalNum: listed.length, orders: listed }) },
  [],
  [...listed.map(({ hash }) => hash), formatHash(4n)],
);

interface Asked {
  readonly intent: object;
  readonly facts: Facts;
}

const lossOf = ({ price }: Said = {}) => price?.lossBips ?? 0;
const orderWith = (said?: Said) => ({
  sellToken: { tokenId: 1, volume: String(150n * ETHER) },
  buyToken: { tokenId: 0, volume: String(WORTH - shareOfWorth(lossOf(said))) },
  validUntil: now + 3600,
});
const feesWith = ({ fee }: Said = {}) => feeAnswer({ LRC: fee?.volume ?? String(ETHER / 50n) });
const threePrints = { tokenId: SLOT, nftData: NFT_DATA, amount: '3' };
const fiveLrc = { token: { tokenId: 1, volume: String(5n * ETHER) }, feeTokenId: 1, validUntil: now + 3600 };
const signed = { sellVolume: String(100n * ETHER), buyVolume: String(ETHER / 20n) };
const restingOrder: Facts = {
  ...cases.hardCancel.facts,
  signedOrder: async () => ({ storageId: STORAGE_ID, sellTokenId: 1, buyTokenId: 0, ...signed }),
  order: async () => ({
    hash: formatHash(7n),
    clientOrderId: '',
    market: 'LRC-ETH',
    side: 'SELL',
    status: 'processing',
    baseAmount: signed.sellVolume,
    quoteAmount: signed.buyVolume,
    baseFilled: '0',
  }),
};

/** Requests whose figures are those of their warnings; the others are samples of the tests. */
const asked: Partial<Readonly<Record<OperationName, (said?: Said) => Asked>>> = {
  submitOrder: (said) => ({ intent: orderWith(said), facts: factsWith() }),
  replaceOrder: (said) => ({ intent: { replaces: formatHash(7n), ...orderWith(said) }, facts: restingOrder }),
  submitOneOf: (said) => ({
    intent: {
      orders: [
        { ...orderWith(), orderType: 'TAKER_ONLY' },
        { ...orderWith(said), orderType: 'MAKER_ONLY' },
      ],
    },
    facts: factsWith(),
  }),
  hardCancel: ({ burn } = {}) => ({
    intent: {
      orderHash: formatHash(7n),
      sellVolume: burn?.sold.volume ?? String(ETHER),
      buyVolume: burn?.bought.volume ?? String(ETHER / 2_000n),
    },
    facts: restingOrder,
  }),
  cancelOrder: () => ({ intent: { orderHash: formatHash(7n) }, facts: restingOrder }),
  cancelAllOrders: () => ({ intent: {}, facts: openOrders }),
  transfer: (said) => ({
    intent: { ...fiveLrc, payeeAddr: FRIEND },
    facts: factsWith({ getOffchainFee: () => feesWith(said), getAccount: () => null }),
  }),
  withdraw: (said) => ({
    intent: { ...fiveLrc, ...(said?.withdrawal ? { to: said.withdrawal.to } : {}) },
    facts: factsWith({ getOffchainFee: () => feesWith(said), getCode: () => code('0x') }),
  }),
  transferNft: () => ({ intent: { token: threePrints, toAddress: FRIEND }, facts: cases.transferNft.facts }),
  withdrawNft: () => ({ intent: { token: threePrints }, facts: cases.withdrawNft.facts }),
};

/** @throws {Error} The rules find another severity than the table says. */
function warningsAs(severity: Severity, said: Said): readonly Warning[] {
  const warnings = warningsOf({ now, ...said });
  const gravest = severities.filter((one) => warnings.some((warning) => warning.severity === one)).at(-1);
  if (gravest !== severity) throw new Error(`the rules say ${gravest ?? 'nothing'} and not ${severity}`);
  return warnings;
}

async function reviewOf(name: OperationName, said?: Said) {
  const operation: AnyOperation = operations[name];
  const [sample] = fc.sample(cases[name].intent, { seed: 7, numRuns: 1 });
  const { intent, facts } = asked[name]?.(said) ?? { intent: sample, facts: cases[name].facts };
  const draft = await operation.prepare(operation.intent().parse(intent), facts);
  return operation.review(draft, now);
}

/** Operations whose texts are longest; in other languages they have to hold the fold as well. */
const longest: readonly OperationName[] = ['submitOrder', 'transfer', 'withdraw'];

/**
 * Every operation as it is without a warning, and with what its own rules can say in each severity.
 */
export const operationScenarios: readonly Scenario[] = (
  await Promise.all(
    (Object.keys(operations) as OperationName[]).map(async (name) => {
      const draw = async (severity: Severity | 'plain', language?: string): Promise<Scenario> => {
        const said = severity === 'plain' ? undefined : findings[name][severity];
        const review = await reviewOf(name, said);
        const warnings = severity === 'plain' || !said ? [] : warningsAs(severity, said);
        return {
          name: `operation-${name}-${severity}${language === undefined ? '' : `-${language}`}`,
          page: 'approval',
          ...(language !== undefined && { language }),
          fold: severity === 'plain' ? 'note' : severity,
          answers: {
            ...open,
            getState: ok(f.twoAccounts),
            getBalances: ok(f.home.balances),
            getApproval: ok(f.approval({ operation: name, review: { ...review, warnings } })),
            approve: 'wait',
          },
        };
      };
      const translated = longest.includes(name) ? languages.filter(({ code }) => code !== 'en') : [];
      return Promise.all([
        draw('plain'),
        ...severities.filter((severity) => findings[name][severity]).map((severity) => draw(severity)),
        ...translated.map(({ code }) => draw('danger', code)),
      ]);
    }),
  )
).flat();
