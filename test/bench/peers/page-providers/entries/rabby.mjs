// The package is the page script itself.
import '@rabby-wallet/page-provider';
