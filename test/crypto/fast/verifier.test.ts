import '../../support/useFastCore.ts';
import '../verifier.test.ts';
