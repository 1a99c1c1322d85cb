import { memoryBlobs, memorySubmissions } from '../../lib/storage/memory.ts';
import { describeBlobs } from './blobs-contract.ts';
import { describeSubmissions } from './submissions-contract.ts';

describeBlobs('memory', async () => memoryBlobs());
describeSubmissions('memory', async () => memorySubmissions());
