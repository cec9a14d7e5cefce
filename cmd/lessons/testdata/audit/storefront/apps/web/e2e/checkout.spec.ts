import { expect, test } from '@playwright/test'

test('a guest can buy a mug', async ({ page }) => {
  await page.goto('/mugs')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page.getByRole('status')).toHaveText('1 item')
})
