import {
  findRelayerWallet,
  isFinalStatus,
  OutcomeUnknownError,
  ParameterError,
  RejectedError,
  RelayerRefusedError,
  relayerActions,
} from 'countersign-viem';
import { BaseError, createWalletClient, custom } from 'viem';

const MARKET = 'LRC-ETH';
/** So long an order can still be carried out after a refusal, and bars the next one. */
const ORDER_SECONDS = 600;

const element = <T extends HTMLElement = HTMLElement>(id: string): T => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
};

const say = (text: string) => {
  element('message').textContent = text;
};

const timeOf = (seconds: number) => new Date(seconds * 1000).toLocaleString();

/** What a user can do about an error; `outcome` tells whether something may have been signed. */
function explain(error: unknown): string {
  if (error instanceof OutcomeUnknownError)
    return error.reason === 'walletReplaced'
      ? 'The wallet was updated or switched off. Reload this page.'
      : 'The order may have been placed. Its outcome is not known yet.';
  if (error instanceof RelayerRefusedError && error.validUntil !== null)
    return `${error.shortMessage} It can still be carried out until ${timeOf(error.validUntil)}.`;
  if (error instanceof RejectedError)
    return error.reason === 'unavailable' ? 'The wallet could not show it. Try again later.' : 'You rejected it.';
  if (error instanceof ParameterError) return `${error.field}: ${error.rule}`;
  if (error instanceof BaseError) return error.shortMessage;
  return error instanceof Error ? error.message : String(error);
}

const attempt = (work: () => Promise<void>) => work().catch((error: unknown) => say(explain(error)));

async function start(): Promise<void> {
  const wallet = await findRelayerWallet();
  if (wallet === null) return say('Install a wallet for this exchange.');
  const { provider } = wallet;
  const client = createWalletClient({ transport: custom(provider, { retryCount: 0 }) }).extend(
    relayerActions({ provider }),
  );
  let stopWatching = () => {};

  /** Draws what belongs to the account that the site sees now. */
  function show(account: string | undefined): void {
    stopWatching();
    element('account').textContent = account ?? 'Not connected';
    element('orders').replaceChildren();
    if (account === undefined) return;
    stopWatching = client.relayer.watchOrders({
      market: MARKET,
      onOrders: (orders) =>
        element('orders').replaceChildren(
          ...orders.map(({ side, price, hash }) => {
            const row = document.createElement('li');
            const cancel = document.createElement('button');
            cancel.textContent = 'Cancel';
            cancel.onclick = () =>
              attempt(async () => {
                await client.relayer.cancelOrder({ orderHash: hash });
              });
            row.append(`${side} at ${price} `, cancel);
            return row;
          }),
        ),
      onError: (error) => say(explain(error)),
    });
  }

  provider.on('accountsChanged', ([account]) => show(account));
  show((await client.getAddresses())[0]);

  element('connect').onclick = () =>
    attempt(async () => {
      show((await client.requestAddresses())[0]);
    });

  /** An order of this site that may be carried out: then a second one could be too. */
  async function undecided() {
    const requests = await client.relayer.getRequests();
    return requests.find(
      ({ operation, status, validUntil = 0 }) =>
        operation === 'submitOrder' &&
        (isFinalStatus(status) ? validUntil * 1000 > Date.now() : status !== 'acknowledged'),
    );
  }

  /** Says what becomes of an order; it goes on while another status can follow. */
  let stopFollowing = () => {};
  const follow = (requestId: string) => {
    stopFollowing();
    stopFollowing = client.relayer.watchSubmission({
      requestId,
      onStatus: (status, validUntil) =>
        say(
          validUntil === undefined
            ? `Order ${status}`
            : `Order ${status}. It can still be carried out until ${timeOf(validUntil)}.`,
        ),
      onError: (error) => say(explain(error)),
    });
  };

  const submit = element<HTMLButtonElement>('submit');
  element<HTMLFormElement>('order').onsubmit = (event) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    submit.disabled = true;
    void attempt(async () => {
      const wanted = {
        market: MARKET,
        side: 'SELL',
        price: String(form.get('price')),
        size: String(form.get('size')),
        validUntil: Math.floor(Date.now() / 1000) + ORDER_SECONDS,
      } as const;
      const open = await undecided();
      if (open) {
        follow(open.requestId);
        return;
      }
      const { problems } = await client.relayer.previewOrder(wanted);
      if (problems[0]) return say(`${problems[0].field}: ${problems[0].rule}`);
      try {
        const order = await client.relayer.limitOrder(wanted);
        follow(order.requestId);
      } catch (error) {
        if (error instanceof OutcomeUnknownError && error.reason !== 'walletReplaced') follow(error.requestId);
        throw error;
      }
    }).finally(() => {
      submit.disabled = false;
    });
  };
}

void attempt(start);
