import { Booking } from './booking.ts';
import { Desk, DeskKey } from './desk.ts';
import { Enum } from './enum.ts';
import { EnumKind } from './enums.ts';
import { Index } from './index-entity.ts';
import { Instant } from './instant.ts';
import { InstantNote } from './instant-note.ts';
import { KeyPart, KeyPartKey } from './key-part.ts';
import { Log } from './log.ts';
import { Measure, MeasureKey } from './measure.ts';
import { Move } from './move.ts';
import { Name } from './name.ts';
import { Node } from './node.ts';
import { NodeCount } from './node-count.ts';
import { NodeDistinct } from './node-distinct.ts';
import { NodePair } from './node-pair.ts';
import { NodeRoot } from './node-root.ts';
import { NodeTwin } from './node-twin.ts';
import { NodeVersion } from './node-version.ts';
import { Note } from './note.ts';
import { People } from './people.ts';
import { Person } from './person.ts';
import { Profile } from './profile.ts';
import { Special } from './special.ts';
import { StringEntity } from './string-entity.ts';
import { Strings } from './strings.ts';
import { Tariff, TariffKey } from './tariff.ts';
import { Tenant } from './tenant.ts';
import { Transfer } from './transfer.ts';

// Not in this model:
// - table public.measure_2026 is a partition: its rows are those of the partitioned table
// - index public.friends.friends_both is of a table that becomes a collection; the database has it nevertheless
// - check public.friends.friends_check CHECK ((one <> other)) is checked by the database alone
// - rule public.friends.friends_forever changes statements of the API in the database: CREATE RULE friends_forever AS ON DELETE TO public.friends DO INSTEAD NOTHING;

export const ENUMS = [EnumKind];

export const ENTITIES = [
  Index,
  Booking,
  DeskKey,
  Desk,
  Enum,
  Instant,
  InstantNote,
  KeyPartKey,
  KeyPart,
  Log,
  MeasureKey,
  Measure,
  Move,
  Name,
  Node,
  NodeCount,
  NodeDistinct,
  NodePair,
  NodeRoot,
  NodeTwin,
  NodeVersion,
  Note,
  People,
  Person,
  Profile,
  Special,
  StringEntity,
  Strings,
  TariffKey,
  Tariff,
  Tenant,
  Transfer,
];
