import '../../support/useFastCore.ts';
import '../poseidon.test.ts';
