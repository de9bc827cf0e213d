import '../../support/useFastCore.ts';
import '../babyJubjub.test.ts';
