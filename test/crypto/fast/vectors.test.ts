import '../../support/useFastCore.ts';
import '../../vectors/vectors.test.ts';
