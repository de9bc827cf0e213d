/** Names of an account's records in the vault. */
export const eddsaRecord = (account: string) => `eddsa:${account}`;
export const apiKeyRecord = (account: string) => `api-key:${account}`;

/** Everything that the vault holds for an account. */
export const accountRecords = (account: string) => [eddsaRecord(account), apiKeyRecord(account)];
