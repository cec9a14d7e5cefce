resource "aws_s3_bucket" "this" {
  bucket = "${var.prefix}-${var.name}"
  tags   = local.tags

  lifecycle {
    prevent_destroy = true
  }
}

locals {
  tags = { team = "returns" }
}
