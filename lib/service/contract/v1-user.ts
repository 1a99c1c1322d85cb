/** The current user in v1: with the words of older services and those of the current interface. This service sends both. */
import * as z from 'zod';
import { listOf, orNull } from './common.ts';
import { Me } from './v3-config.ts';

const { userInfo, plan } = Me.shape;
const { workspace, limitsCount } = userInfo.shape;
const text = () => z.string().optional();

export const V1Me = z.object({
  userInfo: z.object({
    email: z.string().default(''),
    fullName: z.string().default(''),
    workspaceName: text(),
    workspace: orNull(workspace).describe('Null from older services, which have only `workspaceName`.'),
    limitsCount,
  }),
  plan: z.object({
    name: text(),
    planName: text().describe('The same as `name`.'),
    status: text(),
    startTime: text(),
    endTime: text(),
    subsTime: text(),
    fileLimits: z.object({
      extensions: listOf(z.string()).describe('Accepted file extensions; an empty list accepts any.'),
      fileSize: z.union([z.number(), z.string()]).describe('A number of MiB, or text, for example `100 MiB`.'),
    }),
    submissionLimits: plan.shape.submissionLimits,
  }),
  modules: listOf(
    z.object({
      name: text(),
      moduleName: text().describe('The same as `name`.'),
      moduleId: text(),
      startTime: text(),
      endTime: text(),
    }),
  ),
});
export type V1Me = z.infer<typeof V1Me>;
