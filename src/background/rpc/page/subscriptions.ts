import { address, type PushTopic, privateTopics, pushTopicSchemas } from '../../../protocol/index.ts';
import { once } from '../../../protocol/once.ts';
import { z } from '../../../protocol/zod.ts';
import { RpcError } from '../../errors/rpcError.ts';
import { pageMethod } from './pageMethod.ts';

type Asked = PushTopic & { readonly account?: string | undefined };

const isPrivate = (topic: PushTopic['topic']): boolean => privateTopics.includes(topic);

/**
 * The relayer's topics, strictly; the owner address of an account in the place of its number, which
 * the wallet fills in.
 */
const asked = once(() => {
  const topics = pushTopicSchemas().map(({ shape: { topic, ...fields } }) => {
    const { accountId: _number, ...rest } = fields as { readonly accountId?: z.ZodMiniType };
    const ofAccount = [...topic.def.values].some(isPrivate) ? { account: z.optional(address()) } : {};
    return z.strictObject({ topic, ...rest, ...ofAccount });
  });
  const [first, ...others] = topics as [(typeof topics)[number], ...typeof topics];
  return z.discriminatedUnion('topic', [first, ...others]) as unknown as z.ZodMiniType<Asked>;
});

/**
 * Follows a topic of the exchange, or orders and balances of an account, until the page is left,
 * unsubscribes or may not any more. Its messages come as `message` events of the type
 * `relayer_subscription`. The same request again keeps the subscription.
 */
export const relayerSubscribe = pageMethod<Asked, 'connection' | 'read'>({
  name: 'relayer_subscribe',
  params: asked,
  needs: 'connection',
  needsOf: ({ topic }) => (isPrivate(topic) ? 'read' : undefined),
  owner: ({ account }) => account,
  async handle({ site, right, params: { account: _owner, ...topic }, rooms, source }) {
    if (!source) throw new RpcError('invalidRequest', 'relayer_subscribe follows no other request');
    if ('account' in right) {
      await rooms.subscriptions.hold(source.page, source.id, right, topic);
    } else {
      const network = await site.network();
      if (!network) throw new RpcError('internal', 'The network of this account is gone.');
      await rooms.subscriptions.hold(source.page, source.id, { network }, topic);
    }
    return source.id;
  },
});

/** Ends a subscription; false when the site has none of that id. */
export const relayerUnsubscribe = pageMethod({
  name: 'relayer_unsubscribe',
  params: () => z.strictObject({ subscription: z.string().check(z.minLength(1), z.maxLength(200)) }),
  needs: 'none',
  handle: async ({ rooms, params }) => rooms.subscriptions.leave(params.subscription),
});
