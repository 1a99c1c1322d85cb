import { describeFormats } from './suite.ts';

describeFormats(['docx', 'xlsx', 'pptx']);
