from django.db import models


class AnimalCategory(models.Model):
    name = models.CharField(max_length=100, unique=True)

    def __str__(self):
        return self.name


class Animal(models.Model):
    DIETS = [(diet, diet.capitalize()) for diet in ("herbivorous", "carnivorous", "omnivorous")]
    name = models.CharField(max_length=200, db_index=True)
    diet = models.CharField(max_length=16, choices=DIETS, db_index=True)
    category = models.ForeignKey(AnimalCategory, null=True, blank=True, on_delete=models.CASCADE)

    def __str__(self):
        return self.name
