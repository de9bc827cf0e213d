import '../first.ts';
import { boot } from '../boot.tsx';
import { RotationApp } from './RotationApp.tsx';

void boot(RotationApp);
