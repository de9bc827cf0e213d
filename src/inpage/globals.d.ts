/** Data URI of the icon that wallets announce by EIP-6963; inlined by the build. */
declare const __ICON__: string;
