import '../../support/useFastCore.ts';
import '../signer.test.ts';
