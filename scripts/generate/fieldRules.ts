/**
 * What holds between the fields of a method's parameters, as a type of `src/viem/fieldRules.ts`.
 * JSON schemas cannot say it; a test holds each against the wallet.
 */
export const fieldRules: Readonly<Record<string, (fields: string) => string>> = {
  submitOrder: () => 'PoolWithAmmOrder',
  replaceOrder: () => 'PoolWithAmmOrder',
  cancelOrder: (fields) => `ExactlyOne<${fields}, 'orderHash' | 'clientOrderId'>`,
  mintNft: (fields) => `ExactlyOne<${fields}, 'cid' | 'nftId'>`,
  requestStandingApproval: (fields) => `AtLeastOne<${fields}, 'minPrice' | 'maxPrice'>`,
};
