import { appArea } from './areas/app/area.ts';
import { callsArea } from './areas/calls/area.ts';
import { dataArea } from './areas/data/area.ts';
import { filesArea } from './areas/files/area.ts';
import { modelArea } from './areas/model/area.ts';
import { peopleArea } from './areas/people/area.ts';
import { reportsArea } from './areas/reports/area.ts';
import { runningArea } from './areas/running/area.ts';
import { textsArea } from './areas/texts/area.ts';
import type { Area } from './shell/area.ts';

/** The areas of the console, in the order of the navigation. A new area adds its line here. */
export const AREAS: readonly Area[] = [
  dataArea,
  callsArea,
  filesArea,
  appArea,
  peopleArea,
  reportsArea,
  runningArea,
  textsArea,
  modelArea,
];
