import '../../support/useFastCore.ts';
import '../eddsa.test.ts';
