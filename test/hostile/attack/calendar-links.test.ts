import { calendarLinks } from './calendar-links.ts';
import { testAttack } from './suite.ts';

testAttack(calendarLinks);
