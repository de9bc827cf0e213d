/** An entry of the address book. */
export interface ContactView {
  /** Checksummed. */
  readonly address: string;
  /** 1 to 40 characters, unique in its network. */
  readonly name: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** An address that something was sent to, without a name yet. */
export interface RecentRecipient {
  /** Checksummed. */
  readonly address: string;
}
