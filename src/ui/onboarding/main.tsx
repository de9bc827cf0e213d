import '../first.ts';
import { boot } from '../boot.tsx';
import { OnboardingApp } from './OnboardingApp.tsx';

void boot(OnboardingApp);
