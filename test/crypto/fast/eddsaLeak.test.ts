import '../../support/useFastCore.ts';
import '../eddsaLeak.test.ts';
