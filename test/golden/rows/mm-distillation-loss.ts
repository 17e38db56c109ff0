import { pipe } from 'fp-ts/lib/function.js'
import { distillationLoss, presets } from '../../../algorithms/index.js'
import { bool, broadcast, f32 } from '../../../dsl/index.js'
import { prepare, row } from '../row.js'

export const mmDistillationLoss = row<{ readonly temperature: number }>({
  file: 'mm_distillation_loss',
  cases: 6,
  prepare: (golden) =>
    prepare(golden, {
      inputs: { student_logits: f32('time', 'vocab'), teacher_logits: f32('time', 'vocab'), mask: bool('batch', 'time') },
      // Rows are tokens that a mask has kept.
      given: { mask: [(golden.inputs['student_logits'] as readonly unknown[]).map(() => 1)] },
      by: ['student_logits'],
      outputs: ({ student_logits, teacher_logits, mask }) => ({
        value: distillationLoss({ ...presets.minimind.distillation, ...golden.params })({
          logits: pipe(student_logits, broadcast({ batch: 1 })),
          teacherLogits: pipe(teacher_logits, broadcast({ batch: 1 })),
          responseMask: mask,
        }),
      }),
    }),
})
