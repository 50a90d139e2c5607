import type { Area } from './areas/area.ts';
import { dataArea } from './areas/data/area.ts';

/** The areas of the console, in the order of the navigation. A new area adds its line here. */
export const AREAS: readonly Area[] = [dataArea];
