/** How the code is built, one theme a file. They run in one process, because each reads the same graph of imports. */
import './architecture/rooms.ts';
import './architecture/reach.ts';
import './architecture/words.ts';
import './architecture/files.ts';
import './architecture/invariants.ts';
import './architecture/checklists.ts';
import './architecture/one-reader.ts';
