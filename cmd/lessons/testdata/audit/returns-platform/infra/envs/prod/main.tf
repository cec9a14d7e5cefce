terraform {
  required_version = "~> 1.10"
}

module "raw" {
  source = "../../modules/bucket"
  prefix = "prod"
  name   = "raw"
}
