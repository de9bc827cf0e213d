import type { TypedDataDocument, TypedLeaf } from '../protocol/index.ts';

/**
 * Power of a signed document beyond its own words.
 * - `delegatecall`: a wallet contract runs foreign code as its own. `wallet`: a wallet contract
 *   moves or calls something.
 * - `forward`: anybody may send it as a transaction of the signer. `orders`: a root that stands for
 *   many orders at once.
 * - `delegation`: somebody acts with the signer's rights. `spending`: somebody takes tokens.
 * - `call`: none of these, but it carries a call (bytes) and an address.
 */
export type Grave = 'delegatecall' | 'wallet' | 'forward' | 'orders' | 'delegation' | 'spending' | 'call';

type Document = Pick<TypedDataDocument, 'types' | 'primaryType'> & { readonly leaves: readonly TypedLeaf[] };

/**
 * Names of structs, of any depth, and of their members; marketplaces and wallets use them under
 * several primary types.
 */
const signs: readonly { readonly grave: Grave; readonly type?: RegExp; readonly member?: RegExp }[] = [
  {
    grave: 'wallet',
    type: /^(safetx|moduletx|wallettransaction|(signed)?(batched)?calls?|execute(batch)?|(packed)?userop(eration)?|(safe|\w+account|\w+wallet)message|replaysafehash|kernel)$/i,
  },
  {
    grave: 'forward',
    type: /(forwardrequest|metatransaction|metatx|relayrequest|gaslessrequest|metacall|erc2771)|^transaction$/i,
    member: /^(functionSignature|paymasterInput)$/i,
  },
  { grave: 'orders', type: /^(root|bulkorder|orderroot|merkle(root|tree))$/i },
  {
    grave: 'delegation',
    type: /delegat|sessionkey|linksigner|signerpermission|caveat|^register$|signingkey|(change|transfer|set)owner/i,
    member: /^delegat(e|ee|or|ion)$/i,
  },
  {
    grave: 'spending',
    type: /permit|approv|allowance|order|authoriz|transfer|tokenpermissions/i,
    member: /^(spender|operator|approved|allowed)$/i,
  },
  {
    grave: 'spending',
    type: /withdraw|deposit|payment|bridge|burn|swap|trade|maker|offer|listing|loan|borrow|^bid|bid$|^intent|compact$|sale|^sell|redeem|auction/i,
  },
];

/** All structs that the signature covers, also those of empty lists. */
const structsOf = ({ types }: Document) => Object.entries(types).filter(([name]) => name !== 'EIP712Domain');

/** A wallet contract's transaction, whatever the struct is called. */
const isWalletTransaction = (members: readonly { readonly name: string }[]) =>
  ['to', 'value', 'data', 'operation'].every((name) => members.some((member) => member.name === name));

export function gravesOf(typed: Document): Grave[] {
  const structs = structsOf(typed);
  const found = new Set<Grave>();
  for (const [name, members] of structs) {
    if (isWalletTransaction(members)) found.add('wallet');
    for (const { grave, type, member } of signs)
      if (type?.test(name) || members.some((one) => member?.test(one.name))) found.add(grave);
  }
  // Operation 1 of a Safe is a delegate call.
  if (found.has('wallet') && typed.leaves.some(({ path, value }) => /\.operation$/.test(path) && value === '1')) {
    found.delete('wallet');
    found.add('delegatecall');
  }
  const memberTypes = structs.flatMap(([, members]) => members.map(({ type }) => type.replace(/(\[\d*\])+$/, '')));
  if (found.size === 0 && memberTypes.includes('bytes') && memberTypes.includes('address')) found.add('call');
  return [...found];
}
